#include "core/memory_limit.hpp"

#include <gtest/gtest.h>

#include "greybox/error.hpp"

namespace greybox {
namespace {

TEST(MemoryLimit, IsHalfOfTheMachineUntilItIsSet) {
  const std::size_t usual = memory_limit();
  EXPECT_GT(usual, std::size_t{1} << 26U);
  set_memory_limit(1000);
  EXPECT_EQ(memory_limit(), 1000U);
  set_memory_limit(0);
  EXPECT_EQ(memory_limit(), usual);
}

TEST(MemoryLimit, RefusesWhatNeedsMore) {
  set_memory_limit(std::size_t{1} << 20U);
  const auto what = [] { return "a large thing"; };
  EXPECT_NO_THROW(require_memory(1024, what, "take less"));
  try {
    require_memory(3.0 * (1 << 30), what, "take less");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "error: a large thing would take 3 GiB of memory, and the limit is 1 MiB\n"
                 "  help: take less, or raise the limit (option `memory`)");
  }
  set_memory_limit(0);
}

}  // namespace
}  // namespace greybox
