#include "analysis/posterior/log_density.hpp"

#include <cmath>
#include <utility>

#include "analysis/theta/prior_density.hpp"

namespace greybox {
namespace {

double sigmoid(double z) {
  return 1 / (1 + std::exp(-z));
}

// log(1 + e^z)
double softplus(double z) {
  return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
}

}  // namespace

RangeMap::RangeMap(double low, double high)
    : low_(low), high_(high), has_low_(std::isfinite(low)), has_high_(std::isfinite(high)) {}

double RangeMap::into(double z) const {
  if (has_low_ && has_high_) return low_ + (high_ - low_) * sigmoid(z);
  if (has_low_) return low_ + std::exp(z);
  if (has_high_) return high_ - std::exp(z);
  return z;
}

double RangeMap::out_of(double theta) const {
  if (has_low_ && has_high_) return std::log((theta - low_) / (high_ - theta));
  if (has_low_) return std::log(theta - low_);
  if (has_high_) return std::log(high_ - theta);
  return theta;
}

double RangeMap::slope(double z) const {
  if (has_low_ && has_high_) return (high_ - low_) * sigmoid(z) * sigmoid(-z);
  if (has_low_) return std::exp(z);
  if (has_high_) return -std::exp(z);
  return 1;
}

double RangeMap::log_slope(double z) const {
  if (has_low_ && has_high_) return std::log(high_ - low_) - softplus(z) - softplus(-z);
  return has_low_ || has_high_ ? z : 0;
}

double RangeMap::log_slope_derivative(double z) const {
  if (has_low_ && has_high_) return 1 - 2 * sigmoid(z);
  return has_low_ || has_high_ ? 1 : 0;
}

std::vector<RangeMap> range_maps(const std::vector<ParameterSpec>& parameters) {
  std::vector<RangeMap> maps;
  for (const ParameterSpec& parameter : parameters) maps.emplace_back(parameter.low, parameter.high);
  return maps;
}

LogDensity on_whole_space(const std::vector<ParameterSpec>& parameters, LogDensity log_likelihood) {
  return [maps = range_maps(parameters),
          priors = std::vector<PriorDensity>(parameters.begin(), parameters.end()),
          likelihood = std::move(log_likelihood), theta = std::vector<double>(parameters.size())](
             std::span<const double> z, std::span<double> gradient) mutable {
    for (std::size_t p = 0; p < z.size(); ++p) theta[p] = maps[p].into(z[p]);
    double sum = likelihood(theta, gradient);
    for (std::size_t p = 0; p < z.size(); ++p) {
      sum += priors[p].log_density(theta[p]) + maps[p].log_slope(z[p]);
      gradient[p] = (gradient[p] + priors[p].slope(theta[p])) * maps[p].slope(z[p]) +
                    maps[p].log_slope_derivative(z[p]);
    }
    return sum;
  };
}

}  // namespace greybox
