// The floating-point control register of x86-64 and AArch64; nothing elsewhere.
#include "core/denormals.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace greybox {
namespace {

#if defined(__SSE2__)
constexpr std::uint64_t kFlushBits = 0x8040;  // results (FTZ) and operands (DAZ)
std::uint64_t control_register() {
  return _mm_getcsr();
}
void set_control_register(std::uint64_t value) {
  _mm_setcsr(static_cast<unsigned int>(value));
}
#elif defined(__aarch64__)
constexpr std::uint64_t kFlushBits = std::uint64_t{1} << 24U;  // FPCR.FZ
std::uint64_t control_register() {
  std::uint64_t value = 0;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
void set_control_register(std::uint64_t value) {
  asm volatile("msr fpcr, %0" : : "r"(value));
}
#else
constexpr std::uint64_t kFlushBits = 0;
std::uint64_t control_register() {
  return 0;
}
void set_control_register(std::uint64_t) {}
#endif

}  // namespace

void set_flush_to_zero() {
  set_control_register(control_register() | kFlushBits);
}

// Writing the register takes longer than a small product: not where nothing changes.
FlushToZeroScope::FlushToZeroScope() : kept_(control_register()) {
  if ((kept_ & kFlushBits) != kFlushBits) set_flush_to_zero();
}

FlushToZeroScope::~FlushToZeroScope() {
  if ((kept_ & kFlushBits) != kFlushBits) set_control_register(kept_);
}

}  // namespace greybox
