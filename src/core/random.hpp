// Counter-based random numbers (Philox 4x32-10): a draw is a pure function of seed, stream and position, so
// it does not depend on threads, on batch order or on what was drawn before.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace greybox {

// What a stream of draws is for: two purposes never share numbers.
enum class Purpose : std::uint32_t {
  weights = 1,     // initial weights
  split = 2,       // which window goes to which split
  shuffle = 3,     // order of the samples in an epoch
  parameters = 4,  // draws of θ in adaptive training
  validation = 5,  // the fixed draws of θ that validation uses
  generator = 6,   // made data
  analysis = 7,
  posterior = 8,  // walks and draws of sampled distributions
  latents = 9,    // draws of latents in training
  validation_latents = 10,
};

class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose) : seed_(seed), purpose_(purpose) {}

  // Four independent 32-bit words at position (major, minor).
  std::array<std::uint32_t, 4> words(std::uint64_t major, std::uint64_t minor) const;
  // In the open interval (0, 1), with 53 random bits.
  double uniform(std::uint64_t major, std::uint64_t minor) const;
  // uniform(major, first), uniform(major, first + 1) and so on, several at a time.
  void uniforms(std::uint64_t major, std::uint64_t first, std::span<double> to) const;
  // Standard normal (Box–Muller).
  double normal(std::uint64_t major, std::uint64_t minor) const;
  // Uniform on {0, …, bound - 1}.
  std::uint64_t below(std::uint64_t bound, std::uint64_t major, std::uint64_t minor) const;

 private:
  // Under one seed, purposes differ in the key's top byte, so their counters may run freely.
  std::uint64_t key() const { return seed_ ^ static_cast<std::uint64_t>(purpose_) << 56U; }

  std::uint64_t seed_;
  Purpose purpose_;
};

}  // namespace greybox
