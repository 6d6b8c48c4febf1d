#include "analysis/theta/prior_density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "train/beta.hpp"
#include "train/normal.hpp"

namespace greybox {
namespace {

// A beta density may be infinite at its ends: nearer it is not looked at.
double inside(double theta) {
  return std::clamp(theta, 1e-9, 1 - 1e-9);
}

}  // namespace

PriorDensity::PriorDensity(const ParameterSpec& parameter)
    : kind_(parameter.prior),
      low_(parameter.low),
      high_(parameter.high),
      mean_(parameter.mean),
      sd_(parameter.sd),
      alpha_(parameter.alpha),
      beta_(parameter.beta) {
  if (!parameter.is_known_by_bounds()) log_mass_ = log_normal_mass(standardised(low_), standardised(high_));
}

double PriorDensity::standardised(double theta) const {
  return ((kind_ == PriorKind::lognormal ? std::log(theta) : theta) - mean_) / sd_;
}

double PriorDensity::log_density(double theta) const {
  if (kind_ == PriorKind::uniform) return -std::log(high_ - low_);
  if (kind_ == PriorKind::beta) return beta_log_density(alpha_, beta_, inside(theta));
  const double z = standardised(theta);
  const double normal = -z * z / 2 - std::log(sd_ * std::sqrt(2 * std::numbers::pi)) - log_mass_;
  return kind_ == PriorKind::lognormal ? normal - std::log(theta) : normal;
}

double PriorDensity::slope(double theta) const {
  if (kind_ == PriorKind::uniform) return 0;
  if (kind_ == PriorKind::beta) return (alpha_ - 1) / inside(theta) - (beta_ - 1) / (1 - inside(theta));
  const double z = standardised(theta);
  return kind_ == PriorKind::lognormal ? -(z / sd_ + 1) / theta : -z / sd_;
}

double PriorDensity::cdf(double theta) const {
  if (kind_ == PriorKind::uniform) return std::clamp((theta - low_) / (high_ - low_), 0.0, 1.0);
  if (kind_ == PriorKind::beta) return beta_cdf(alpha_, beta_, theta);
  return std::clamp(std::exp(log_normal_mass(standardised(low_), standardised(theta)) - log_mass_), 0.0, 1.0);
}

}  // namespace greybox
