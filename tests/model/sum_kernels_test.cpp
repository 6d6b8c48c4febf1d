#include "model/sum_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/aligned_buffer.hpp"

namespace greybox {
namespace {

template <class T>
class SumKernels : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SumKernels, Types);

template <class T>
AlignedBuffer<T> wave(std::size_t n, double frequency) {
  AlignedBuffer<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<T>(std::sin(frequency * static_cast<double>(i)));
  return values;
}

TYPED_TEST(SumKernels, AddInDoubleAndLeaveOutWhatHasNoWeight) {
  using T = TypeParam;
  for (const std::size_t n : {1, 7, 8, 9, 33}) {
    AlignedBuffer<T> weight = wave<T>(n, 0.7), value = wave<T>(n, 1.3);
    weight[n / 2] = 0;
    value[n / 2] = std::numeric_limits<T>::quiet_NaN();
    AlignedBuffer<double> sums(padded<double>(n));
    sums.fill(0.25);
    add_weighted(n, weight.data(), value.data(), sums.data());
    for (std::size_t i = 0; i < n; ++i) {
      const double product = static_cast<double>(weight[i]) * static_cast<double>(value[i]);
      EXPECT_DOUBLE_EQ(sums[i], 0.25 + (i == n / 2 ? 0.0 : product));
    }
  }
}

TYPED_TEST(SumKernels, SquareDifferencesThatAreRoundedInTheirOwnType) {
  using T = TypeParam;
  for (const std::size_t n : {1, 7, 8, 9, 33}) {
    const AlignedBuffer<T> a = wave<T>(n, 0.7), b = wave<T>(n, 1.3);
    AlignedBuffer<double> sums(padded<double>(n));
    sums.fill(0.25);
    add_squared_differences(n, a.data(), b.data(), 0.5, sums.data());
    for (std::size_t i = 0; i < n; ++i) {
      const auto residual = static_cast<double>(a[i] - b[i]);
      EXPECT_DOUBLE_EQ(sums[i], 0.25 + 0.5 * residual * residual);
    }
  }
}

TYPED_TEST(SumKernels, SumSquaredDifferencesOfAWholeArray) {
  using T = TypeParam;
  for (const std::size_t n : {0, 1, 7, 16, 33, 1024}) {
    AlignedBuffer<T> a = wave<T>(n + 1, 0.7);
    const AlignedBuffer<T> b = wave<T>(n + 1, 1.3);
    a[n] = std::numeric_limits<T>::quiet_NaN();  // not part of it
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += std::pow(static_cast<double>(a[i] - b[i]), 2);
    EXPECT_NEAR(sum_of_squared_differences(n, a.data(), b.data()), expected, 1e-14 * expected);
  }
}

}  // namespace
}  // namespace greybox
