#include "train/normal.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace greybox {
namespace {

// Not far below it Φ is no longer a normal number.
constexpr double kUnderflow = -30;

// Abramowitz & Stegun 26.2.23, for p ≤ 1/2: within 4.5e-4.
double rough_quantile(double p) {
  const double t = std::sqrt(-2 * std::log(p));
  return (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
         t;
}

}  // namespace

double normal_density(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}

double normal_cdf(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

// Below kUnderflow by the asymptotic series of Mills' ratio.
double log_normal_cdf(double x) {
  if (x > kUnderflow) return std::log(normal_cdf(x));
  const double s = 1 / (x * x);
  return -x * x / 2 - std::log(-x * std::sqrt(2 * std::numbers::pi)) +
         std::log1p(-s * (1 - 3 * s * (1 - 5 * s * (1 - 7 * s))));
}

double normal_quantile_of_log(double log_p) {
  constexpr double least = -600;
  if (log_p > least) return normal_quantile(std::exp(log_p));
  double x = -std::sqrt(-2 * log_p);
  // d log Φ / dx is -x to the first order.
  for (int i = 0; i < 8; ++i) x += (log_normal_cdf(x) - log_p) / x;
  return x;
}

double log_normal_mass(double low, double high) {
  if (low > 0) return log_normal_mass(-high, -low);
  if (high > kUnderflow) return std::log(normal_cdf(high) - normal_cdf(low));
  const double log_high = log_normal_cdf(high);
  return log_high + std::log1p(-std::exp(log_normal_cdf(low) - log_high));
}

double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  double x = rough_quantile(p);
  // Halley's method triples the correct digits each time: 3, 10, all.
  for (int i = 0; i < 2; ++i) {
    const double newton = (normal_cdf(x) - p) / normal_density(x);
    x -= newton / (1 + x * newton / 2);
  }
  return x;
}

}  // namespace greybox
