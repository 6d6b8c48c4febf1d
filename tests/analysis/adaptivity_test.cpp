#include "analysis/landscape/adaptivity.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/limits.hpp"

namespace greybox::test {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

TEST(Adaptivity, IsGoodWhereLossesAreAlike) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{1, 1.2, 0.9, 3.5}, kUnknown);
  EXPECT_EQ(audit.is_poor, (std::vector<std::uint8_t>{0, 0, 0, 0}));
  EXPECT_EQ(audit.poor_share, 0);
  EXPECT_NE(audit.sentence.find("every θ here fits"), std::string::npos);
}

TEST(Adaptivity, IsPoorAboveTheLimitAndWhereThereIsNoNumber) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{1, 1, 1, 2.01, kNaN}, 2);
  EXPECT_EQ(audit.is_poor, (std::vector<std::uint8_t>{0, 0, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(audit.poor_share, 0.4);
  EXPECT_NE(audit.sentence.find("40 % of the grid"), std::string::npos) << audit.sentence;
}

TEST(Adaptivity, SaysSoWhenNothingIsFinite) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{kNaN, kNaN}, kUnknown);
  EXPECT_EQ(audit.poor_share, 1);
  EXPECT_EQ(audit.sentence, "no θ here gives finite predictions");
}

}  // namespace
}  // namespace greybox::test
