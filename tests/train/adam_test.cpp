#include "train/adam.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/simd_targets.hpp"

namespace greybox {
namespace {

template <class T>
struct Vectors {
  explicit Vectors(std::size_t n) : parameters(n), gradient(n), first(n), second(n) {
    for (std::size_t i = 0; i < n; ++i) {
      parameters[i] = static_cast<T>(std::cos(1.0 + static_cast<double>(i)));
      gradient[i] = static_cast<T>(3 * std::sin(0.7 * static_cast<double>(i)));
      first[i] = static_cast<T>(0.1 * std::sin(static_cast<double>(i)));
      second[i] = static_cast<T>(0.01 + 0.001 * static_cast<double>(i % 7));
    }
  }
  AdamVectors<T> view(std::size_t n_decayed) { return {&parameters, &gradient, &first, &second, n_decayed}; }

  AlignedBuffer<T> parameters, gradient, first, second;
};

// The step as the papers write it, one number at a time.
void reference_step(const AdamOptions& options, double rate, double t, Vectors<double>& v,
                    std::size_t n_decayed) {
  double norm = 0;
  for (double& g : v.gradient.span()) {
    g = std::min(std::max(g, -options.clip_value), options.clip_value);
    norm += g * g;
  }
  const double scale = std::min(1.0, options.clip_norm / (std::sqrt(norm) + 1e-6));
  for (std::size_t i = 0; i < v.parameters.size(); ++i) {
    const double g = scale * v.gradient[i];
    v.first[i] = 0.9 * v.first[i] + 0.1 * g;
    v.second[i] = 0.999 * v.second[i] + 0.001 * g * g;
    const double m = v.first[i] / (1 - std::pow(0.9, t)), s = v.second[i] / (1 - std::pow(0.999, t));
    if (i < n_decayed) v.parameters[i] -= rate * options.weight_decay * v.parameters[i];
    v.parameters[i] -= rate * m / (std::sqrt(s) + 1e-8);
  }
}

template <class T>
void compare_with_reference(double tolerance) {
  const AdamOptions options{.weight_decay = 0.1, .clip_value = 0.8, .clip_norm = 1.5};
  for (std::size_t n : {1, 7, 15, 16, 17, 33, 100}) {
    const std::size_t n_decayed = padded<T>(n) - kAlignment / sizeof(T);  // all but the last cache line
    Vectors<T> actual(n);
    Vectors<double> expected(n);
    ASSERT_TRUE(adam_step(options, 0.05, 3, actual.view(n_decayed)));
    reference_step(options, 0.05, 4, expected, n_decayed);
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_NEAR(static_cast<double>(actual.parameters[i]), expected.parameters[i], tolerance)
          << n << ", entry " << i;
  }
}

TEST(AdamStep, AgreesWithTheFormula) {
  test::on_every_target([] {
    compare_with_reference<double>(1e-14);
    compare_with_reference<float>(1e-6);
  });
}

TEST(AdamStep, RefusesAGradientThatIsNotFinite) {
  test::on_every_target([] {
    for (float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
      for (std::size_t place : {0, 5, 18}) {
        Vectors<float> vectors(19);
        vectors.gradient[place] = wrong;
        const std::vector<float> before(vectors.parameters.data(), vectors.parameters.data() + 19);
        const AdamOptions options{
            .weight_decay = 0.1, .clip_value = std::numeric_limits<double>::infinity(), .clip_norm = 10};
        EXPECT_FALSE(adam_step(options, 0.05, 0, vectors.view(0)));
        EXPECT_TRUE(std::equal(before.begin(), before.end(), vectors.parameters.data()));
      }
  });
}

TEST(AdamStep, ClippingDoesNotHideNaN) {
  test::on_every_target([] {
    Vectors<double> vectors(11);
    vectors.gradient[4] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(adam_step({.weight_decay = 0, .clip_value = 1, .clip_norm = 1}, 0.05, 0, vectors.view(0)));
  });
}

}  // namespace
}  // namespace greybox
