#include "greybox/counted.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace greybox::test {
namespace {

TEST(Counted, AgreesWithTheNumber) {
  EXPECT_EQ(counted(0, "window"), "0 windows");
  EXPECT_EQ(counted(std::size_t{1}, "test window"), "1 test window");
  EXPECT_EQ(counted(12, "epoch"), "12 epochs");
}

}  // namespace
}  // namespace greybox::test
