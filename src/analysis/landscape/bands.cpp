#include "analysis/landscape/bands.hpp"

#include <cmath>

namespace greybox {
namespace {

constexpr double kSpreads = 2;

std::size_t lowest_place(const std::vector<double>& values) {
  std::size_t lowest = 0;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] < values[lowest] || std::isnan(values[lowest])) lowest = i;
  return lowest;
}

}  // namespace

std::vector<double> network_mean(std::span<const std::vector<double>> networks) {
  std::vector<double> mean(networks[0].size());
  for (const std::vector<double>& values : networks)
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += values[i] / static_cast<double>(networks.size());
  return mean;
}

std::vector<double> network_spread(std::span<const std::vector<double>> networks) {
  const std::vector<double> mean = network_mean(networks);
  std::vector<double> squares(mean.size());
  for (const std::vector<double>& values : networks)
    for (std::size_t i = 0; i < mean.size(); ++i) squares[i] += (values[i] - mean[i]) * (values[i] - mean[i]);
  for (double& square : squares) square = std::sqrt(square / (static_cast<double>(networks.size()) - 1));
  return squares;
}

std::vector<std::uint8_t> may_be_lowest(std::span<const std::vector<double>> networks) {
  const std::size_t lowest = lowest_place(network_mean(networks));
  std::vector<std::vector<double>> heights(networks.begin(), networks.end());
  for (std::vector<double>& values : heights) {
    const double bottom = values[lowest];
    for (double& value : values) value -= bottom;
  }
  const std::vector<double> mean = network_mean(heights), spread = network_spread(heights);
  std::vector<std::uint8_t> may_be;
  for (std::size_t i = 0; i < mean.size(); ++i) may_be.push_back(mean[i] <= kSpreads * spread[i] ? 1 : 0);
  return may_be;
}

}  // namespace greybox
