// Noise of measured values: what a measured value costs beside a predicted one, family by family.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace greybox {

// As in the table of families.
enum class NoiseKind : std::uint8_t { normal, relative, lognormal, student, poisson, negative_binomial };

// The negative logarithm of a density or probability, and its derivatives.
struct NoiseTerm {
  double value = 0, by_prediction = 0, by_spread = 0;
};

struct Measurement {
  double predicted = 0, measured = 0;
  // The family's own parameter, and the degrees of freedom of Student's t.
  double spread = 1, df = 0;
};

struct NoiseFamily {
  NoiseKind kind;
  std::string_view name;
  // The key of the parameter; empty for a family without.
  std::string_view spread_key;
  // Whether the parameter counts in units of the data.
  bool has_unit;
  NoiseTerm (*term)(const Measurement& at);
  // Of a measurement around the prediction; infinite where it has none.
  double (*sd)(const Measurement& at);
  // How far off the measured value is in units of its noise: of variance 1 where the model is right
  // (Student's t: in units of its scale).
  double (*standardised)(const Measurement& at);
  // Why a value cannot be measured under this noise; empty where it can.
  std::string_view (*fault)(double measured);
};

// In the order of the enumeration.
std::span<const NoiseFamily> noise_families();
const NoiseFamily& family_of(NoiseKind kind);

}  // namespace greybox
