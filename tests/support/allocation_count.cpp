// Replaces the allocation functions of a test program by ones that count.
#include "support/allocation_count.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> count = 0;

void* try_to_allocate(std::size_t size, std::size_t alignment) noexcept {
  ++count;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* p = try_to_allocate(size, alignment);
  if (!p) throw std::bad_alloc();
  return p;
}

}  // namespace

// Out of line: seen through, the pairs of new and free look mismatched to the compiler.
[[gnu::noinline]] void* operator new(std::size_t size) {
  return allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return try_to_allocate(size, alignof(std::max_align_t));
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace greybox::test {

std::size_t n_allocations() {
  return count;
}

TEST(AllocationCount, SeesEveryAllocation) {
  const std::size_t before = n_allocations();
  // A plain call: a new-expression without use may be optimised away.
  ::operator delete(::operator new(8));
  EXPECT_EQ(n_allocations(), before + 1);
}

}  // namespace greybox::test
