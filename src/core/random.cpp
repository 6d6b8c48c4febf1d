// Philox 4x32-10 from Random123; distributions on top of its words.
#include "core/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/philox_kernels.hpp"

namespace greybox {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint32_t low(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}

std::uint32_t high(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32U);
}

std::uint64_t join(std::uint32_t low_half, std::uint32_t high_half) {
  return std::uint64_t{high_half} << 32U | low_half;
}

// The 53 leading bits as a fraction; the one value that would be 0 becomes half of the smallest other.
double to_unit_interval(std::uint64_t bits) {
  return std::max(static_cast<double>(bits >> 11U), 0.5) * 0x1p-53;
}

}  // namespace

std::array<std::uint32_t, 4> Random::words(std::uint64_t major, std::uint64_t minor) const {
  const r123::Philox4x32 philox;  // ten rounds by default
  const auto result =
      philox({{low(major), high(major), low(minor), high(minor)}}, {{low(key()), high(key())}});
  return {result[0], result[1], result[2], result[3]};
}

double Random::uniform(std::uint64_t major, std::uint64_t minor) const {
  const auto w = words(major, minor);
  return to_unit_interval(join(w[0], w[1]));
}

void Random::uniforms(std::uint64_t major, std::uint64_t first, std::span<double> to) const {
  philox_uniforms({key(), major, first}, to.size(), to.data());
}

double Random::normal(std::uint64_t major, std::uint64_t minor) const {
  const auto w = words(major, minor);
  const double radius = std::sqrt(-2 * std::log(to_unit_interval(join(w[0], w[1]))));
  return radius * std::cos(2 * std::numbers::pi * to_unit_interval(join(w[2], w[3])));
}

std::uint64_t Random::below(std::uint64_t bound, std::uint64_t major, std::uint64_t minor) const {
  // The high half of a product maps 64 bits onto the range; the bias of bound / 2^64 is far below notice.
  const auto w = words(major, minor);
  return static_cast<std::uint64_t>(Wide{join(w[0], w[1])} * bound >> 64U);
}

}  // namespace greybox
