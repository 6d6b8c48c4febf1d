// The machine by its name.
#include "core/machine.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(Machine, HasANameAndCores) {
  const std::string name = machine_name();
  EXPECT_NE(name.find(" core"), std::string::npos) << name;
  EXPECT_GT(name.size(), 10U) << name;
}

}  // namespace
}  // namespace greybox
