// Random numbers against Random123's published answers and against their distributions.
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace greybox {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The seed under which the generator's key is `key`.
Random with_key(std::uint64_t key, Purpose purpose) {
  return {key ^ static_cast<std::uint64_t>(purpose) << 56U, purpose};
}

TEST(Random, GivesThePublishedAnswersOfPhilox4x32With10Rounds) {
  EXPECT_EQ(with_key(0, Purpose::split).words(0, 0), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(with_key(~0ULL, Purpose::weights).words(~0ULL, ~0ULL),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(with_key(0x299f31d0a4093822, Purpose::shuffle).words(0x85a308d3243f6a88, 0x0370734413198a2e),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, DependsOnSeedPurposeAndPosition) {
  const Random random(7, Purpose::weights);
  const double draw = random.uniform(3, 4);
  EXPECT_EQ(draw, Random(7, Purpose::weights).uniform(3, 4));
  EXPECT_NE(draw, Random(8, Purpose::weights).uniform(3, 4));
  EXPECT_NE(draw, Random(7, Purpose::split).uniform(3, 4));
  EXPECT_NE(draw, random.uniform(4, 3));
}

TEST(Random, UniformHasTheRightMomentsAndStaysInside) {
  const Random random(1, Purpose::generator);
  constexpr int n = 100000;
  double sum = 0;
  double sum_of_squares = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = random.uniform(i, 0);
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    sum_of_squares += u * u;
  }
  // Five standard errors: sqrt(1/12/n) and sqrt(4/45/n).
  EXPECT_NEAR(sum / n, 0.5, 0.0046);
  EXPECT_NEAR(sum_of_squares / n, 1.0 / 3, 0.0048);
}

TEST(Random, ManyUniformsAreThoseDrawnOneByOne) {
  const Random random(0x123456789abcdef, Purpose::parameters);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xfffffffd}}) {
    for (const std::size_t n : {1, 2, 7, 8, 9, 37}) {
      std::vector<double> many(n + 1, -1.0);
      random.uniforms(0x7654321089, first, std::span(many).first(n));
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(many[i], random.uniform(0x7654321089, first + i));
      EXPECT_EQ(many[n], -1.0);
    }
  }
}

TEST(Random, NormalHasTheRightMoments) {
  const Random random(1, Purpose::generator);
  constexpr int n = 100000;
  std::array<double, 4> moments{};
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = random.normal(0, i);
    double power = 1;
    for (double& moment : moments) moment += (power *= x) / n;
  }
  // Five standard errors: sqrt(1/n), sqrt(2/n), sqrt(15/n), sqrt(96/n).
  EXPECT_NEAR(moments[0], 0, 0.016);
  EXPECT_NEAR(moments[1], 1, 0.023);
  EXPECT_NEAR(moments[2], 0, 0.062);
  EXPECT_NEAR(moments[3], 3, 0.155);
}

TEST(Random, BelowReachesEveryValueEquallyOften) {
  const Random random(1, Purpose::shuffle);
  constexpr std::uint64_t bound = 7;
  constexpr double expected = 10000;
  std::vector<double> counts(bound);
  for (std::uint64_t i = 0; i < bound * 10000; ++i) counts.at(random.below(bound, i, 0)) += 1;
  for (const double count : counts) EXPECT_NEAR(count, expected, 5 * std::sqrt(expected));
  EXPECT_EQ(random.below(1, 5, 5), 0U);
}

}  // namespace
}  // namespace greybox
