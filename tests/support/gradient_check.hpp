// The one harness for everything differentiable: analytic gradients against central differences in double.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>
#include <string>

namespace greybox::test {

// f(x) is a scalar function of the values behind `x`; `gradient` is what the code under test says df/dx is.
// Each entry is compared at `step` and must agree within `tolerance` relative to the gradient's largest entry
// (central differences leave about 1e-10 of relative noise in double).
inline void expect_gradient(const std::string& what, std::span<double> x, std::span<const double> gradient,
                            const std::function<double()>& f, double tolerance = 1e-7, double step = 1e-5) {
  ASSERT_EQ(x.size(), gradient.size()) << what;
  double scale = 1e-3;
  for (double g : gradient) scale = std::max(scale, std::abs(g));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double kept = x[i];
    const double h = step * std::max(1.0, std::abs(kept));
    x[i] = kept + h;
    const double up = f();
    x[i] = kept - h;
    const double down = f();
    x[i] = kept;
    const double expected = (up - down) / (2 * h);
    EXPECT_NEAR(gradient[i], expected, tolerance * scale) << what << ", entry " << i;
  }
}

}  // namespace greybox::test
