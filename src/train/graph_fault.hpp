// The operation of an equation that made a number of which there is none.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/bound_model.hpp"

namespace greybox {

// What the leaves of a model's equations are at one point; those of data and networks are not among them.
struct PointLeaves {
  std::span<const double> theta, state;
  double time = 0, start_time = 0;
};

struct GraphFault {
  // "sqrt of a negative number (-0.1)".
  std::string what;
  std::string remedy;
};

// The first whose arguments are finite and whose value is not; nothing where it cannot be told.
std::optional<GraphFault> find_fault(const BoundModel& model, NodeId root, const PointLeaves& leaves);

}  // namespace greybox
