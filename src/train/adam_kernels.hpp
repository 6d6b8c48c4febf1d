// The two passes of an AdamW step, chosen for the processor at run time. Counts fill whole cache lines.
#pragma once

#include <cstddef>

namespace greybox {

// gradient ← min(max(gradient, -limit), limit), with NaN kept; returns the sum of squares of the result.
float clip_by_value(float* gradient, std::size_t n, float limit);
double clip_by_value(double* gradient, std::size_t n, double limit);

inline constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kAdamEpsilon = 1e-8;

template <class T>
struct AdamPass {
  T* parameters;
  const T* gradient;
  T* first_moments;
  T* second_moments;
  std::size_t n;
};

template <class T>
struct AdamFactors {
  T gradient_scale;  // of clipping by norm
  T keep;            // 1 - rate · decay
  T step;            // rate / (1 - β₁^t)
  T second_root;     // 1 / √(1 - β₂^t)
  double beta2 = kBeta2;
};

// m ← β₁ m + (1 - β₁) g;  v ← β₂ v + (1 - β₂) g²;  p ← keep · p - step · m / (√v · second_root + ε)
void update_parameters(const AdamPass<float>& pass, const AdamFactors<float>& factors);
void update_parameters(const AdamPass<double>& pass, const AdamFactors<double>& factors);

}  // namespace greybox
