// What to change about a model before it is trained, measured on its data and its theory.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "greybox/dataset.hpp"

namespace greybox {

struct Advice {
  // For a person, the most important first; the last says what a training will cost.
  std::vector<std::string> sentences;
  // Of the prior: where the theory alone becomes non-finite on some window.
  double diverging_share = 0;
  // The fastest rate of the theory alone over the prior, times the solver's largest step between snapshots.
  // NaN where it is not known: algebraic models, fields, networks that read the window.
  double stiffness = std::numeric_limits<double>::quiet_NaN();
  // Of one training as [train] says, on this machine.
  double seconds = 0;
  double megabytes = 0;
};

Advice advise(const Dataset& dataset);

}  // namespace greybox
