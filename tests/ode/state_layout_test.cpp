// Where components lie.
#include "ode/state_layout.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(StateLayout, PadsEveryComponent) {
  const StateLayout layout({1, 10, 1}, 5, 16);
  EXPECT_EQ(layout.n_components(), 3u);
  EXPECT_EQ(layout.offset(0), 0u);
  EXPECT_EQ(layout.offset(1), 16u);
  EXPECT_EQ(layout.offset(2), 16u + 64u);
  EXPECT_EQ(layout.size(), 16u + 64u + 16u);
  EXPECT_EQ(layout.width(1), 10u);
}

}  // namespace
}  // namespace greybox
