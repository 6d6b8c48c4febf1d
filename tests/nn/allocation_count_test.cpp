// Replaces the allocation functions of this test program by ones that count.
#include "support/allocation_count.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

namespace {

std::atomic<std::size_t> count = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++count;
  void* p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace greybox::test {

std::size_t n_allocations() {
  return count;
}

TEST(AllocationCount, SeesEveryAllocation) {
  const std::size_t before = n_allocations();
  const auto one = std::make_unique<int>(1);
  EXPECT_EQ(n_allocations(), before + 1);
}

}  // namespace greybox::test
