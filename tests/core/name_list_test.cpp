// Names in messages.
#include "core/name_list.hpp"

#include <gtest/gtest.h>

namespace greybox {
namespace {

TEST(NameList, EndsAfterThirtyNames) {
  EXPECT_EQ(name_list({"a", "b"}), "a, b");
  std::vector<std::string> names(30, "n");
  EXPECT_EQ(name_list(names).find("more"), std::string::npos);
  names.resize(100'000, "n");
  EXPECT_TRUE(name_list(names).ends_with("n, n and 99970 more"));
}

}  // namespace
}  // namespace greybox
