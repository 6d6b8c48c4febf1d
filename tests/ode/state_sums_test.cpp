// Sums of states against plain loops, on every SIMD target.
#include "ode/state_sums.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "core/limits.hpp"
#include "support/simd_targets.hpp"

namespace greybox {
namespace {

template <class T>
class StateSums : public testing::Test {
 protected:
  static constexpr std::size_t kSamples = 19;
  static constexpr T kTolerance = sizeof(T) == 4 ? T(1e-6) : T(1e-15);

  StateSums() : sizes(kSamples), from(layout.size()) {
    for (std::size_t i = 0; i < kSamples; ++i) sizes[i] = i % 3 == 1 ? T(0) : T(0.1) * static_cast<T>(i + 1);
    for (std::size_t v = 0; v < layout.size(); ++v) {
      from[v] = wave(v, 0.3);
      for (std::size_t j = 0; j < kTerms; ++j) terms[j][v] = wave(v, 0.5 + static_cast<double>(j));
    }
    // What has no weight, and what belongs to samples that take no part, may be anything.
    terms[1][0] = static_cast<T>(kNaN);
    for_values([&](std::size_t sample, std::size_t v) {
      if (sizes[sample] == 0) terms[0][v] = static_cast<T>(kNaN);
    });
  }

  static T wave(std::size_t v, double frequency) {
    return static_cast<T>(std::sin(frequency * static_cast<double>(v)));
  }
  // Calls visit(sample, index) for every value of the batch.
  void for_values(const std::function<void(std::size_t, std::size_t)>& visit) const {
    for (std::size_t c = 0; c < layout.n_components(); ++c)
      for (std::size_t k = 0; k < kSamples * layout.width(c); ++k)
        visit(k / layout.width(c), layout.offset(c) + k);
  }
  T sum_at(std::size_t v) const { return T(0.5) * terms[0][v] - T(2) * terms[2][v]; }
  StateBatch batch() const { return {layout, kSamples}; }
  WeightedSum<T> sum() const { return {weights, terms}; }

  static constexpr std::size_t kTerms = 3;
  const StateLayout layout{{1, 7, 40}, kSamples, padded<T>(1)};
  const std::vector<double> weights = {0.5, 0, -2};
  StateRows<T> terms{layout, kTerms};
  AlignedBuffer<T> sizes, from;
};

using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(StateSums, Types);

TYPED_TEST(StateSums, MoveSamplesThatTakePart) {
  test::on_every_target([this] {
    AlignedBuffer<TypeParam> to(this->layout.size());
    move_state(this->batch(), this->sizes.data(), this->sum(), this->from.data(), to.data());
    this->for_values([&](std::size_t sample, std::size_t v) {
      const TypeParam size = this->sizes[sample];
      if (size == 0)
        ASSERT_EQ(to[v], this->from[v]);
      else
        ASSERT_NEAR(to[v], this->from[v] + size * this->sum_at(v), 10 * this->kTolerance);
    });
  });
}

TYPED_TEST(StateSums, ScaleByTheSizeOrLeaveZero) {
  test::on_every_target([this] {
    AlignedBuffer<TypeParam> to(this->layout.size());
    scaled_sum(this->batch(), this->sizes.data(), this->sum(), to.data());
    this->for_values([&](std::size_t sample, std::size_t v) {
      const TypeParam size = this->sizes[sample];
      if (size == 0)
        ASSERT_EQ(to[v], 0);
      else
        ASSERT_NEAR(to[v], size * this->sum_at(v), 10 * this->kTolerance);
    });
  });
}

TYPED_TEST(StateSums, AddToSamplesThatTakePart) {
  test::on_every_target([this] {
    AlignedBuffer<TypeParam> target(this->layout.size());
    target.fill(1);
    add_where_moving(this->batch(), this->sizes.data(), this->sum(), target.data());
    this->for_values([&](std::size_t sample, std::size_t v) {
      if (this->sizes[sample] == 0)
        ASSERT_EQ(target[v], 1);
      else
        ASSERT_NEAR(target[v], 1 + this->sum_at(v), 10 * this->kTolerance);
    });
  });
}

TYPED_TEST(StateSums, MayBeEmptyOrOneTerm) {
  using T = TypeParam;
  AlignedBuffer<T> to(this->layout.size());
  move_state(this->batch(), this->sizes.data(), WeightedSum<T>({}, this->terms), this->from.data(),
             to.data());
  this->for_values([&](std::size_t, std::size_t v) { ASSERT_EQ(to[v], this->from[v]); });
  add_where_moving(this->batch(), this->sizes.data(), WeightedSum<T>(this->from.data()), to.data());
  this->for_values([&](std::size_t sample, std::size_t v) {
    ASSERT_EQ(to[v], (this->sizes[sample] == 0 ? T(1) : T(2)) * this->from[v]);
  });
}

}  // namespace
}  // namespace greybox
