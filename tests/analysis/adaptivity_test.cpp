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

TEST(Adaptivity, OfARunThatDoesNotFitIsNotGoodWhereLossesAreAlike) {
  const Adaptivity audit = audit_adaptivity(std::vector<double>{1, 1.2}, kUnknown, {}, false);
  EXPECT_EQ(audit.poor_share, 0);
  EXPECT_NE(audit.sentence.find("the run does not fit its data, at any θ here"), std::string::npos);
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

// Of outputs in several units there is no one RMSE.
TEST(Adaptivity, SaysWhatItsLimitIsMeasuredIn) {
  const std::vector<double> losses{1, 4, 25};
  const Adaptivity one = audit_adaptivity(losses, 9, {.name = "RMSE", .unit = 100});
  EXPECT_NE(one.sentence.find("RMSE is above 300 or not finite (RMSE 100 to 500)"), std::string::npos)
      << one.sentence;
  const Adaptivity several = audit_adaptivity(losses, 9, {"error", 1, " of the outputs' scales"});
  EXPECT_NE(several.sentence.find("error is above 3 of the outputs' scales or not finite (error 1 to 5)"),
            std::string::npos)
      << several.sentence;
}

}  // namespace
}  // namespace greybox::test
