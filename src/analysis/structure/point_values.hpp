// The model's scalar equations at points of the data, on plain numbers.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "model/loaded_model.hpp"

namespace greybox {

// One snapshot of a window. States have the values that [state] gives there, networks the value 0.
struct DataPoint {
  std::size_t window = 0;
  std::size_t snapshot = 0;
};

// Snapshots of these windows at which every column that [state] needs is known; at most `n_most`, evenly
// spaced.
std::vector<DataPoint> data_points(const LoadedModel& loaded, const std::vector<std::size_t>& windows,
                                   std::size_t n_most);

// Points × nodes. The model must have no fields.
Eigen::MatrixXd values_at(const LoadedModel& loaded, const std::vector<DataPoint>& points,
                          const std::vector<NodeId>& nodes, const std::vector<double>& theta);

}  // namespace greybox
