#include "train/beta.hpp"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace greybox {
namespace {

// As log(x / (1 - x)): beyond it x and 1 - x are below what a double tells from 0.
constexpr double kFarthest = 720;
constexpr int kMostHalvings = 200;

// 1 / (1 + exp(-z)), exact near 0.
double logistic(double z) {
  return z < 0 ? std::exp(z) / (1 + std::exp(z)) : 1 / (1 + std::exp(-z));
}

// Where the cdf is u, if that is not beyond 0.5. Halves log(x / (1 - x)), as most of a beta with small
// exponents is within rounding of 0 and 1.
double quantile_below_half(double alpha, double beta, double u) {
  double low = -kFarthest, high = 0;
  for (int i = 0; i < kMostHalvings && high - low > std::numeric_limits<double>::epsilon() * -low; ++i) {
    const double middle = (low + high) / 2;
    (beta_cdf(alpha, beta, logistic(middle)) < u ? low : high) = middle;
  }
  return logistic(high);
}

}  // namespace

double beta_log_density(double alpha, double beta, double x) {
  return (alpha - 1) * std::log(x) + (beta - 1) * std::log1p(-x) + std::lgamma(alpha + beta) -
         std::lgamma(alpha) - std::lgamma(beta);
}

double beta_cdf(double alpha, double beta, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  return Eigen::numext::betainc(alpha, beta, x);
}

// Beyond the middle the mirror image is used, because 1 - x has no digits near 1.
double beta_quantile(double alpha, double beta, double u) {
  return u <= beta_cdf(alpha, beta, 0.5) ? quantile_below_half(alpha, beta, u)
                                         : 1 - quantile_below_half(beta, alpha, 1 - u);
}

}  // namespace greybox
