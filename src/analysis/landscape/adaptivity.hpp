// Did the network adapt to every θ? Where L is not as low as elsewhere, R says nothing about the theory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace greybox {

inline constexpr double kPoorFactor = 2;

struct Adaptivity {
  std::vector<std::uint8_t> is_poor;  // L more than kPoorFactor times its median, or not a number
  double poor_share = 0;
  std::string sentence;
};

Adaptivity audit_adaptivity(std::span<const double> losses);

}  // namespace greybox
