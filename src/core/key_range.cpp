// The ranges of numbers that keys take.
#include <array>
#include <cmath>

#include "core/key_info.hpp"

namespace greybox {

namespace {

struct RangeInfo {
  Range range;
  std::string_view description;
  bool (*contains)(double);
};

// In the order of the enumeration.
constexpr std::array ranges = std::to_array<RangeInfo>({
    {Range::finite, "finite", [](double x) { return std::isfinite(x); }},
    {Range::any, "a number", [](double x) { return !std::isnan(x); }},
    {Range::positive, "greater than 0", [](double x) { return x > 0 && std::isfinite(x); }},
    {Range::positive_or_infinite, "greater than 0", [](double x) { return x > 0; }},
    {Range::non_negative, "0 or more", [](double x) { return x >= 0 && std::isfinite(x); }},
    {Range::fraction, "from 0 to 1", [](double x) { return x >= 0 && x <= 1; }},
    {Range::at_least_one, "1 or more", [](double x) { return x >= 1 && std::isfinite(x); }},
    {Range::layer_size, "from 1 to 100000", [](double x) { return x >= 1 && x <= 100000; }},
});

}  // namespace

bool contains(Range range, double value) {
  return ranges[static_cast<std::size_t>(range)].contains(value);
}

std::string_view describe(Range range) {
  return ranges[static_cast<std::size_t>(range)].description;
}

}  // namespace greybox
