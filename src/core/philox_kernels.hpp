// Philox 4x32-10 for many positions at once, chosen for the processor at run time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace greybox {

// Positions (major, first), (major, first + 1), … of the stream of a key.
struct PhiloxRun {
  std::uint64_t key, major, first;
};

// The first two words of each position as a number in (0, 1): what Random::uniform gives, bit for bit.
void philox_uniforms(const PhiloxRun& run, std::size_t n, double* to);

}  // namespace greybox
