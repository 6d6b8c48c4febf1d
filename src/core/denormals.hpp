// Denormal numbers treated as zero: arithmetic on them is many times slower and carries nothing a model
// needs.
#pragma once

#include <cstdint>

namespace greybox {

// For the calling thread, from now on. Does nothing on processors without such a switch.
void set_flush_to_zero();

// For the calling thread, until the end of the scope; then as it was before.
class FlushToZeroScope {
 public:
  FlushToZeroScope();
  ~FlushToZeroScope();
  FlushToZeroScope(const FlushToZeroScope&) = delete;
  FlushToZeroScope& operator=(const FlushToZeroScope&) = delete;

 private:
  std::uint64_t kept_;  // the control register as it was
};

}  // namespace greybox
