#include "analysis/landscape/adaptivity.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"

namespace greybox::test {
namespace {

TEST(Adaptivity, IsGoodWhereLossesAreAlike) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{1, 1.2, 0.9, 2});
  EXPECT_EQ(audit.is_poor, (std::vector<std::uint8_t>{0, 0, 0, 0}));
  EXPECT_EQ(audit.poor_share, 0);
  EXPECT_NE(audit.sentence.find("adapts to every θ"), std::string::npos);
}

TEST(Adaptivity, IsPoorAboveTwiceTheMedianAndWhereThereIsNoNumber) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{1, 1, 1, 2.01, kNaN});
  EXPECT_EQ(audit.is_poor, (std::vector<std::uint8_t>{0, 0, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(audit.poor_share, 0.4);
  EXPECT_NE(audit.sentence.find("40 % of the grid"), std::string::npos) << audit.sentence;
}

TEST(Adaptivity, SaysSoWhenNothingIsFinite) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{kNaN, kNaN});
  EXPECT_EQ(audit.poor_share, 1);
  EXPECT_EQ(audit.sentence, "no θ here gives finite predictions");
}

}  // namespace
}  // namespace greybox::test
