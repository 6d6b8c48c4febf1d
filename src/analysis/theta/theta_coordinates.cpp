#include "analysis/theta/theta_coordinates.hpp"

#include <algorithm>
#include <cmath>

#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr double kTailOfCoordinates = 0.005;
constexpr double kSlopeStep = 1e-5;

}  // namespace

ThetaCoordinates::ThetaCoordinates(const std::vector<ParameterSpec>& parameters) : parameters_(parameters) {
  for (const ParameterSpec& parameter : parameters) {
    const bool is_open_below =
        !std::isfinite(parameter.low) || (parameter.prior == PriorKind::lognormal && parameter.low <= 0);
    first_.push_back(is_open_below ? kTailOfCoordinates : 0);
    last_.push_back(std::isfinite(parameter.high) ? 1 : 1 - kTailOfCoordinates);
  }
}

double ThetaCoordinates::theta(std::size_t parameter, double u) const {
  const Prior prior(parameters_[parameter]);
  return prior.draw(prior.start(), std::lerp(first_[parameter], last_[parameter], std::clamp(u, 0.0, 1.0)));
}

std::vector<double> ThetaCoordinates::theta(std::span<const double> u) const {
  std::vector<double> values;
  for (std::size_t p = 0; p < u.size(); ++p) values.push_back(theta(p, u[p]));
  return values;
}

double ThetaCoordinates::slope(std::size_t parameter, double u) const {
  const double low = std::max(u - kSlopeStep, 0.0), high = std::min(u + kSlopeStep, 1.0);
  return (theta(parameter, high) - theta(parameter, low)) / (high - low);
}

double ThetaCoordinates::coordinate(std::size_t parameter, double value) const {
  double low = 0, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double middle = (low + high) / 2;
    (theta(parameter, middle) < value ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace greybox
