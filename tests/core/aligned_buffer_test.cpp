// Memory for vector kernels.
#include "core/aligned_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace greybox {
namespace {

TEST(AlignedBuffer, IsAlignedZeroAndReadableOneLinePastItsEnd) {
  for (const std::size_t size : {1U, 15U, 16U, 17U, 1000U}) {
    const AlignedBuffer<float> buffer(size);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % kAlignment, 0U);
    const float* const end = buffer.data() + padded<float>(size) + kAlignment / sizeof(float);
    EXPECT_EQ(std::accumulate(buffer.data(), end, 0.0F), 0.0F);
  }
}

TEST(AlignedBuffer, KeepsItsMemoryWhenItIsLargeEnough) {
  AlignedBuffer<double> buffer(10);
  buffer.fill(1);
  const double* const memory = buffer.data();
  buffer.ensure(10);
  EXPECT_EQ(buffer.data(), memory);
  EXPECT_EQ(buffer[9], 1);
  buffer.ensure(11);
  EXPECT_EQ(buffer.size(), 11U);
  EXPECT_EQ(buffer[9], 0);
}

TEST(Padded, RoundsUpToWholeCacheLines) {
  EXPECT_EQ(padded<float>(0), 0U);
  EXPECT_EQ(padded<float>(1), 16U);
  EXPECT_EQ(padded<float>(16), 16U);
  EXPECT_EQ(padded<double>(9), 16U);
}

}  // namespace
}  // namespace greybox
