// What stands for the networks where the data say what they must give: an output of a network as equations
// read it, and the values that its constraints allow.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "model/bound_model.hpp"

namespace greybox {

struct FreeOutput {
  NodeId node = 0;
  // Of the model.
  std::size_t network = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

// Of all networks that are called at every evaluation, in order.
std::vector<FreeOutput> free_outputs(const BoundModel& model);

// Why the constraints of some network cannot be imposed on free values; empty: they can.
std::string obstacle_of_constraints(const BoundModel& model);

// The values at each point, [output][point], that pointwise constraints allow and that are nearest.
class PointwiseConstraints {
 public:
  explicit PointwiseConstraints(const BoundModel& model);

  void impose(std::vector<AlignedBuffer<double>>& outputs, std::size_t n_points) const;
  // Gradients with respect to what `impose` was given; `imposed`: what it made of it.
  void pull_back(const std::vector<AlignedBuffer<double>>& imposed,
                 std::vector<AlignedBuffer<double>>& gradients, std::size_t n_points) const;

 private:
  void subtract_means(std::vector<AlignedBuffer<double>>& values, std::size_t n_points) const;

  std::vector<FreeOutput> outputs_;
  // Outputs of one network that add up to 0, as [first, last).
  std::vector<std::pair<std::size_t, std::size_t>> zero_sums_;
};

}  // namespace greybox
