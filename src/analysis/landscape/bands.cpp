#include "analysis/landscape/bands.hpp"

#include <array>
#include <cmath>

#include "core/limits.hpp"

namespace greybox {
namespace {

constexpr double kSpreads = 2;
// 97.5 % quantiles of Student's t with 1, 2, … degrees of freedom; then an expansion about that of the normal
// distribution, right to 0.1 %.
constexpr std::array kStudent = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
constexpr double kNormal = 1.95996, kFirstTerm = 2.3723, kSecondTerm = 2.8225;

double student(std::size_t freedom) {
  if (freedom <= kStudent.size()) return kStudent[freedom - 1];
  const auto n = static_cast<double>(freedom);
  return kNormal + kFirstTerm / n + kSecondTerm / (n * n);
}

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

double prediction_factor(std::size_t n) {
  if (n < 2) return kNaN;
  return student(n - 1) * std::sqrt(1 + 1 / static_cast<double>(n));
}

double bootstrap_factor(std::size_t n) {
  if (n < 2) return kNaN;
  const auto units = static_cast<double>(n);
  return student(n - 1) * std::sqrt(units / (units - 1));
}

}  // namespace greybox
