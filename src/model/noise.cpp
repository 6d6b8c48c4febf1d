#include "model/noise.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace greybox {
namespace {

const double kHalfLogTwoPi = 0.5 * std::log(2 * std::numbers::pi);
// Where only positive predictions have a meaning, a parabola goes on below this part of the measured value:
// what a network does wrong at first must neither be infinite nor be worth anything.
constexpr double kPositivePart = 1e-3;
// Smaller ones differ from Poisson noise by rounding errors alone.
constexpr double kLeastDispersion = 1e-8;

// `lgamma` of the standard library writes a global variable.
double log_gamma(double x) {
#if defined(__GLIBC__)
  int sign = 0;
  return lgamma_r(x, &sign);
#else
  return std::lgamma(x);
#endif
}

// d log Γ(x) / dx for x > 0: recurrence to where the asymptotic series has all digits.
double digamma(double x) {
  double shift = 0;
  for (; x < 12; x += 1) shift -= 1 / x;
  const double w = 1 / (x * x);
  const double series =
      w * (1.0 / 12 - w * (1.0 / 120 - w * (1.0 / 252 - w * (1.0 / 240 - w * (1.0 / 132)))));
  return shift + std::log(x) - 0.5 / x - series;
}

std::string_view anything(double) {
  return {};
}

std::string_view not_zero(double measured) {
  return measured == 0 ? "relative noise says nothing about a value of 0" : std::string_view{};
}

std::string_view positive_value(double measured) {
  return measured > 0 ? std::string_view{} : "lognormal noise allows only values above 0";
}

std::string_view count(double measured) {
  if (measured < 0) return "a count cannot be negative";
  return measured == std::floor(measured) ? std::string_view{} : "a count must be a whole number";
}

double residual(const Measurement& at) {
  return at.predicted - at.measured;
}

NoiseTerm normal_term(const Measurement& at) {
  const double z = residual(at) / at.spread;
  return {kHalfLogTwoPi + std::log(at.spread) + 0.5 * z * z, z / at.spread, (1 - z * z) / at.spread};
}

double normal_sd(const Measurement& at) {
  return at.spread;
}

double relative_sd(const Measurement& at) {
  return at.spread * std::fmax(std::fabs(at.predicted), kPositivePart * std::fabs(at.measured));
}

// sd = spread · |predicted|
NoiseTerm relative_term(const Measurement& at) {
  const double sd = relative_sd(at);
  const NoiseTerm term = normal_term({at.predicted, at.measured, sd});
  const bool follows = std::fabs(at.predicted) > kPositivePart * std::fabs(at.measured);
  const double sd_by_prediction = follows ? std::copysign(at.spread, at.predicted) : 0;
  return {term.value, term.by_prediction + term.by_spread * sd_by_prediction,
          term.by_spread * sd / at.spread};
}

// log measured ~ normal(log predicted, spread). Below the part of the measured value, (log p - log m)² goes
// on as the parabola that has its value and its first two derivatives there.
NoiseTerm lognormal_term(const Measurement& at) {
  const double edge = kPositivePart * at.measured, p = std::fmax(at.predicted, edge);
  const double off = std::log(p / at.measured), beyond = at.predicted - p;
  const double slope = off / p, curvature = (1 - off) / (p * p);
  const double half_square = 0.5 * off * off + slope * beyond + 0.5 * curvature * beyond * beyond;
  const double variance = at.spread * at.spread;
  return {kHalfLogTwoPi + std::log(at.measured) + std::log(at.spread) + half_square / variance,
          (slope + curvature * beyond) / variance, (1 - 2 * half_square / variance) / at.spread};
}

double lognormal_sd(const Measurement& at) {
  const double variance = at.spread * at.spread;
  return std::fabs(at.predicted) * std::sqrt(std::expm1(variance) * std::exp(variance));
}

double lognormal_standardised(const Measurement& at) {
  return std::log(at.measured / std::fmax(at.predicted, kPositivePart * at.measured)) / at.spread;
}

NoiseTerm student_term(const Measurement& at) {
  const double z = residual(at) / at.spread, df = at.df;
  const double norm = log_gamma(0.5 * df) - log_gamma(0.5 * (df + 1)) + 0.5 * std::log(df * std::numbers::pi);
  const double pull = (df + 1) * z / (df + z * z);
  return {norm + std::log(at.spread) + 0.5 * (df + 1) * std::log1p(z * z / df), pull / at.spread,
          (1 - pull * z) / at.spread};
}

double student_sd(const Measurement& at) {
  return at.df > 2 ? at.spread * std::sqrt(at.df / (at.df - 2)) : std::numeric_limits<double>::infinity();
}

// Where counts are expected at all, and how far below that the prediction is.
struct CountRate {
  double rate, below;
};

CountRate rate_of(const Measurement& at) {
  const double edge = kPositivePart * std::fmax(at.measured, 1);
  return {std::fmax(at.predicted, edge), std::fmin(at.predicted - edge, 0)};
}

// The parabola below the edge: its lowest point is not below 0.
NoiseTerm with_parabola(const NoiseTerm& edge, double slope_by_spread, const CountRate& at, double measured) {
  const double curvature = (1 + measured / at.rate) / at.rate;
  return {edge.value + (edge.by_prediction + 0.5 * curvature * at.below) * at.below,
          edge.by_prediction + curvature * at.below, edge.by_spread + slope_by_spread * at.below};
}

NoiseTerm poisson_term(const Measurement& at) {
  const CountRate rate = rate_of(at);
  const double m = rate.rate, y = at.measured;
  return with_parabola({m - y * std::log(m) + log_gamma(y + 1), 1 - y / m, 0}, 0, rate, y);
}

double poisson_sd(const Measurement& at) {
  return std::sqrt(rate_of(at).rate);
}

// Variance = m + spread · m²; n = 1/spread is the number of failures of the usual form.
NoiseTerm negative_binomial_term(const Measurement& at) {
  const CountRate rate = rate_of(at);
  const double m = rate.rate, y = at.measured, a = std::fmax(at.spread, kLeastDispersion), n = 1 / a;
  const double grown = 1 + a * m;
  const double value = log_gamma(n) + log_gamma(y + 1) - log_gamma(y + n) + n * std::log1p(a * m) -
                       y * (std::log(a * m) - std::log1p(a * m));
  const double by_n = digamma(n) - digamma(y + n) + std::log1p(a * m) - (m - y) / (n + m);
  const double slope = (1 - y / m) / grown;
  return with_parabola({value, slope, -n * n * by_n}, -slope * m / grown, rate, y);
}

double negative_binomial_sd(const Measurement& at) {
  const double m = rate_of(at).rate;
  return std::sqrt(m + at.spread * m * m);
}

template <double (*sd)(const Measurement&)>
double in_units_of(const Measurement& at) {
  return -residual(at) / sd(at);
}

constexpr std::array kFamilies = std::to_array<NoiseFamily>({
    {NoiseKind::normal, "normal", "sd", true, normal_term, normal_sd, in_units_of<normal_sd>, anything},
    {NoiseKind::relative, "relative", "sd", false, relative_term, relative_sd, in_units_of<relative_sd>,
     not_zero},
    {NoiseKind::lognormal, "lognormal", "sd", false, lognormal_term, lognormal_sd, lognormal_standardised,
     positive_value},
    {NoiseKind::student, "student", "sd", true, student_term, student_sd, in_units_of<normal_sd>, anything},
    {NoiseKind::poisson, "poisson", "", false, poisson_term, poisson_sd, in_units_of<poisson_sd>, count},
    {NoiseKind::negative_binomial, "negative_binomial", "dispersion", false, negative_binomial_term,
     negative_binomial_sd, in_units_of<negative_binomial_sd>, count},
});

}  // namespace

std::span<const NoiseFamily> noise_families() {
  return kFamilies;
}

const NoiseFamily& family_of(NoiseKind kind) {
  return kFamilies[static_cast<std::size_t>(kind)];
}

}  // namespace greybox
