// Denormal numbers become zero where asked for, and only there.
#include "core/denormals.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace greybox {
namespace {

#if defined(__SSE2__) || defined(__aarch64__)

// Halves the smallest normal number; volatile keeps the compiler from doing it.
float half_of_the_smallest() {
  volatile float x = std::numeric_limits<float>::min();
  x = x / 2;
  return x;
}

TEST(FlushToZeroScope, EndsWithItsScope) {
  ASSERT_NE(half_of_the_smallest(), 0.0F);
  {
    const FlushToZeroScope scope;
    EXPECT_EQ(half_of_the_smallest(), 0.0F);
  }
  EXPECT_NE(half_of_the_smallest(), 0.0F);
}

TEST(FlushToZeroScope, KeepsWhatWasSetBefore) {
  const FlushToZeroScope restored_at_the_end;
  set_flush_to_zero();
  { const FlushToZeroScope inner; }
  EXPECT_EQ(half_of_the_smallest(), 0.0F);
}

#endif

}  // namespace
}  // namespace greybox
