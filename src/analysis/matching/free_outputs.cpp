#include "analysis/matching/free_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace greybox {
namespace {

FreeOutput free_output(const BoundModel& model, std::size_t network, std::size_t output) {
  const BoundNetwork& bound = model.networks[network];
  const NetworkConstraints& constraints = bound.spec->constraints;
  FreeOutput free{bound.constrained.empty() ? bound.outputs[output] : bound.constrained[output], network};
  // What is left after the mean of the outputs is subtracted has no bounds of its own.
  if (constraints.sums_to_zero) return free;
  if (constraints.bounds)
    std::tie(free.low, free.high) = *constraints.bounds;
  else if (constraints.is_positive)
    free.low = 0;
  return free;
}

}  // namespace

std::vector<FreeOutput> free_outputs(const BoundModel& model) {
  std::vector<FreeOutput> outputs;
  for (std::size_t n = 0; n < model.networks.size(); ++n) {
    const BoundNetwork& network = model.networks[n];
    if (network.is_estimator || network.rate != Rate::evaluation || network.twin_of) continue;
    for (std::size_t o = 0; o < network.outputs.size(); ++o) outputs.push_back(free_output(model, n, o));
  }
  return outputs;
}

std::string obstacle_of_constraints(const BoundModel& model) {
  for (const BoundNetwork& network : model.networks) {
    const NetworkConstraints& constraints = network.spec->constraints;
    if (!constraints.increasing.empty() || !constraints.decreasing.empty())
      return fmt::format("network `{}` is monotone", network.spec->name);
  }
  return "";
}

PointwiseConstraints::PointwiseConstraints(const BoundModel& model) : outputs_(free_outputs(model)) {
  for (std::size_t first = 0, last; first < outputs_.size(); first = last) {
    last = first;
    while (last < outputs_.size() && outputs_[last].network == outputs_[first].network) ++last;
    if (model.networks[outputs_[first].network].spec->constraints.sums_to_zero)
      zero_sums_.emplace_back(first, last);
  }
}

void PointwiseConstraints::subtract_means(std::vector<AlignedBuffer<double>>& values,
                                          std::size_t n_points) const {
  for (const auto& [first, last] : zero_sums_)
    for (std::size_t i = 0; i < n_points; ++i) {
      double mean = 0;
      for (std::size_t o = first; o < last; ++o) mean += values[o][i] / static_cast<double>(last - first);
      for (std::size_t o = first; o < last; ++o) values[o][i] -= mean;
    }
}

void PointwiseConstraints::impose(std::vector<AlignedBuffer<double>>& outputs, std::size_t n_points) const {
  subtract_means(outputs, n_points);
  // The order of min and max lets NaN through.
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    for (std::size_t i = 0; i < n_points; ++i)
      outputs[o][i] = std::min(std::max(outputs[o][i], outputs_[o].low), outputs_[o].high);
}

void PointwiseConstraints::pull_back(const std::vector<AlignedBuffer<double>>& imposed,
                                     std::vector<AlignedBuffer<double>>& gradients,
                                     std::size_t n_points) const {
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    for (std::size_t i = 0; i < n_points; ++i)
      if (imposed[o][i] <= outputs_[o].low || imposed[o][i] >= outputs_[o].high) gradients[o][i] = 0;
  subtract_means(gradients, n_points);
}

}  // namespace greybox
