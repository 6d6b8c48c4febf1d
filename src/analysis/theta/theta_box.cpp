#include "analysis/theta/theta_box.hpp"

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr double kTail = 0.005;

}  // namespace

ThetaBox::ThetaBox(const std::vector<ParameterSpec>& parameters) : parameters_(parameters) {
  for (const ParameterSpec& parameter : parameters) {
    const Prior prior(parameter);
    const auto quantile = [&](double p) { return prior.draw(prior.start(), p); };
    low_.push_back(parameter.low);
    high_.push_back(parameter.high);
    // No lognormal parameter is 0: that bound is as far away as an infinite one.
    const bool is_open_below =
        !std::isfinite(parameter.low) || (parameter.prior == PriorKind::lognormal && parameter.low <= 0);
    likely_low_.push_back(is_open_below ? quantile(kTail) : parameter.low);
    likely_high_.push_back(std::isfinite(parameter.high) ? parameter.high : quantile(1 - kTail));
    middle_.push_back(quantile(0.5));
  }
}

std::vector<double> ThetaBox::draw(std::uint64_t seed, std::uint64_t number) const {
  const Random random(seed, Purpose::analysis);
  std::vector<double> theta;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const Prior prior(parameters_[p]);
    theta.push_back(prior.draw(prior.start(), random.uniform(number, p)));
  }
  return theta;
}

double ThetaBox::coordinate(std::size_t parameter, double theta) const {
  return parameters_[parameter].is_log ? std::log(theta) : theta;
}

double ThetaBox::theta(std::size_t parameter, double coordinate) const {
  return parameters_[parameter].is_log ? std::exp(coordinate) : coordinate;
}

bool ThetaBox::contains(std::span<const double> theta) const {
  for (std::size_t p = 0; p < theta.size(); ++p)
    if (!(theta[p] >= low_[p] && theta[p] <= high_[p])) return false;
  return true;
}

void ThetaBox::project(std::span<double> theta) const {
  for (std::size_t p = 0; p < theta.size(); ++p) theta[p] = std::clamp(theta[p], low_[p], high_[p]);
}

}  // namespace greybox
