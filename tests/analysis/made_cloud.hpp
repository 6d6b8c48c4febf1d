// Clouds of points over [0, 1]² (or [0, 1]) with a regularizer that a test makes up.
#pragma once

#include <cmath>
#include <functional>

#include "analysis/verdict/theta_cloud.hpp"

namespace greybox::test {

// R of replicate `k` at (u, v); v is 0 for one parameter.
using MadeRegularizer = std::function<double(std::size_t k, double u, double v)>;

inline ThetaCloud made_cloud(std::size_t n_axes, std::size_t n_replicates, const MadeRegularizer& made) {
  ThetaCloud cloud;
  cloud.n_bins = n_axes == 1 ? 101 : 41;
  for (std::size_t axis = 0; axis < n_axes; ++axis) cloud.parameters.push_back(axis);
  for (std::size_t i = 0; i < cloud.n_bins; ++i)
    for (std::size_t j = 0; j < (n_axes == 2 ? cloud.n_bins : 1); ++j) {
      cloud.points.push_back(cloud.bin_middle(i));
      if (n_axes == 2) cloud.points.push_back(cloud.bin_middle(j));
      cloud.is_poor.push_back(0);
    }
  cloud.n_spread = cloud.size();
  for (std::size_t k = 0; k < n_replicates; ++k) {
    CloudReplicate replicate{0, {{}}};
    for (std::size_t i = 0; i < cloud.size(); ++i)
      replicate.regularizers[0].push_back(made(k, cloud.at(i, 0), n_axes == 2 ? cloud.at(i, 1) : 0));
    cloud.replicates.push_back(replicate);
  }
  return cloud;
}

// A number in (-1, 1) that looks random.
inline double shaken(std::size_t k) {
  return std::sin(12.9898 * static_cast<double>(k) + 4.1);
}

}  // namespace greybox::test
