// Suggestions for misspelt names.
#include "core/nearest_name.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace greybox {
namespace {

const std::vector<std::string> kNames = {"velocity", "angle", "angel_wing", "theta", "g", "dt"};

TEST(NearestName, FindsEachKindOfSlip) {
  EXPECT_EQ(nearest_name("velocty", kNames), "velocity");    // a letter left out
  EXPECT_EQ(nearest_name("velocitty", kNames), "velocity");  // one too many
  EXPECT_EQ(nearest_name("velosity", kNames), "velocity");   // a wrong one
  EXPECT_EQ(nearest_name("anlge", kNames), "angle");         // neighbours swapped
}

TEST(NearestName, CountsASwapAsOneSlip) {
  // Two slips would be too many among three letters.
  EXPECT_EQ(nearest_name("sni", std::vector<std::string>{"sin"}), "sin");
}

TEST(NearestName, IgnoresCaseAtFirst) {
  EXPECT_EQ(nearest_name("VELOCITY", kNames), "velocity");
  EXPECT_EQ(nearest_name("G", kNames), "g");
  // With equal distances the candidate of the same case wins.
  EXPECT_EQ(nearest_name("Rates", std::vector<std::string>{"rate", "Rate"}), "Rate");
}

TEST(NearestName, PrefersTheFirstOfEquals) {
  EXPECT_EQ(nearest_name("rote", std::vector<std::string>{"rate", "rite"}), "rate");
}

TEST(NearestName, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("pressure", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("h", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("dx", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("", kNames), std::nullopt);
  EXPECT_EQ(nearest_name("velocity", {}), std::nullopt);
}

}  // namespace
}  // namespace greybox
