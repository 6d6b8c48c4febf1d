// Text on terminals that are narrower than it.
#include "terminal.hpp"

#include <gtest/gtest.h>

namespace greybox::apps {
namespace {

TEST(Fitted, StaysAsItIsWhereThereIsRoom) {
  EXPECT_EQ(fitted("a: flat under corr", 2, 80), "  a: flat under corr\n");
  EXPECT_EQ(fitted("θ θ θ", 0, 5), "θ θ θ\n") << "characters count, not bytes";
}

TEST(Fitted, IsBrokenBetweenWordsAndIndented) {
  EXPECT_EQ(fitted("clearance: not judged under normD — too little data", 2, 32),
            "  clearance: not judged under\n"
            "    normD — too little data\n");
}

TEST(Fitted, IsLeftAloneWhereBreakingDoesNotHelp) {
  const std::string text = "clearance: not judged under normD";
  EXPECT_EQ(fitted(text, 2, 10), "  " + text + "\n");
}

}  // namespace
}  // namespace greybox::apps
