#include "train/prior.hpp"

#include <algorithm>
#include <cmath>

#include "train/normal.hpp"

namespace greybox {

// A standard normal cut to [low, high], in which the draw is z.
struct Prior::Truncated {
  double low, high, sd, z;
};

namespace {

// Below it products of probabilities lose their digits; logarithms keep them.
constexpr double kTinyMass = 1e-200;

// Φ⁻¹ of the point a fraction u of the way from Φ(low) to Φ(high). Beyond the middle the mirror image is
// used, because Φ loses all digits near 1.
double truncated_quantile(double low, double high, double u) {
  if (low > 0) return -truncated_quantile(-high, -low, 1 - u);
  const double p_low = normal_cdf(low), p_high = normal_cdf(high);
  if (p_high < kTinyMass) {
    const double log_high = log_normal_cdf(high), ratio = std::exp(log_normal_cdf(low) - log_high);
    return std::clamp(normal_quantile_of_log(log_high + std::log(ratio + u * (1 - ratio))), low, high);
  }
  return std::clamp(normal_quantile(p_low + u * (p_high - p_low)), low, high);
}

// φ(x) / φ(z)
double density_ratio(double x, double z) {
  return std::exp((z - x) * (z + x) / 2);
}

// x · φ(x) / φ(z), which is 0 where x is infinite.
double weighted_ratio(double x, double z) {
  return std::isinf(x) ? 0 : x * density_ratio(x, z);
}

// x · φ(x), which is 0 at infinity.
double weighted_density(double x) {
  return std::isinf(x) ? 0 : x * normal_density(x);
}

}  // namespace

Prior::Prior(const ParameterSpec& parameter)
    : kind_(parameter.prior),
      low_(parameter.low),
      high_(parameter.high),
      is_learned_(parameter.learned),
      start_(kind_ == PriorKind::uniform ? PriorShape{parameter.low, parameter.high}
             : kind_ == PriorKind::beta  ? PriorShape{parameter.alpha, parameter.beta}
                                         : PriorShape{parameter.mean, std::log(parameter.sd)}) {}

Prior::Truncated Prior::truncate(const PriorShape& shape, double u) const {
  const bool is_log = kind_ == PriorKind::lognormal;
  const double sd = std::exp(shape[1]);
  const double low = ((is_log ? std::log(low_) : low_) - shape[0]) / sd;
  const double high = ((is_log ? std::log(high_) : high_) - shape[0]) / sd;
  return {low, high, sd, truncated_quantile(low, high, u)};
}

double Prior::draw_normal(const PriorShape& shape, double u) const {
  const Truncated normal = truncate(shape, u);
  const double value = shape[0] + normal.sd * normal.z;
  return kind_ == PriorKind::lognormal ? std::exp(value) : value;
}

// With p = Φ(z) = (1-u) Φ(α) + u Φ(β), α and β being the bounds as z, θ = m + s z gives
// dθ/dm = 1 - ((1-u) φ(α) + u φ(β)) / φ(z) and dθ/ds = z - ((1-u) α φ(α) + u β φ(β)) / φ(z).
PriorShape Prior::derivatives(const PriorShape& shape, double u) const {
  if (kind_ == PriorKind::uniform) return {1 - u, u};
  const Truncated normal = truncate(shape, u);
  const double density = normal_density(normal.z);
  const bool is_far = density < kTinyMass;
  const double by_mean =
      is_far ? 1 - ((1 - u) * density_ratio(normal.low, normal.z) + u * density_ratio(normal.high, normal.z))
             : 1 - ((1 - u) * normal_density(normal.low) + u * normal_density(normal.high)) / density;
  const double by_sd =
      is_far
          ? normal.z -
                ((1 - u) * weighted_ratio(normal.low, normal.z) + u * weighted_ratio(normal.high, normal.z))
          : normal.z - ((1 - u) * weighted_density(normal.low) + u * weighted_density(normal.high)) / density;
  const double outer = kind_ == PriorKind::lognormal ? draw(shape, u) : 1;
  return {outer * by_mean, outer * by_sd * normal.sd};
}

std::map<std::string, double> Prior::describe(const PriorShape& shape) const {
  if (kind_ == PriorKind::uniform) return {{"low", shape[0]}, {"high", shape[1]}};
  return {{"mean", shape[0]}, {"sd", std::exp(shape[1])}};
}

PriorShape Prior::project(PriorShape shape) const {
  if (kind_ != PriorKind::uniform) return shape;
  for (double& end : shape) end = std::clamp(end, low_, high_);
  if (shape[0] > shape[1]) shape[0] = shape[1] = (shape[0] + shape[1]) / 2;
  return shape;
}

}  // namespace greybox
