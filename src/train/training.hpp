// From options to a report: what `train` and `refit` share.
#pragma once

#include "greybox/train.hpp"

namespace greybox {

// `theta` is that of a refit, by name; empty otherwise.
TrainReport run_training(const TrainOptions& options, const std::map<std::string, double>& theta);

}  // namespace greybox
