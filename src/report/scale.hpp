// Numbers on an axis: where they stand, and which of them to write.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace greybox {

struct Tick {
  double value = 0;
  std::string label;
};

// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `n` of them.
std::vector<Tick> ticks(double low, double high, std::size_t n);

// The same for a logarithmic axis: powers of ten, or where there are too few of them also 2 and 5 times
// those.
std::vector<Tick> log_ticks(double low, double high, std::size_t n);

// A linear or logarithmic map from numbers to positions in a picture.
struct Scale {
  double low = 0, high = 1;   // numbers
  double begin = 0, end = 1;  // positions
  bool is_log = false;
  double operator()(double value) const {
    const double part = is_log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return begin + part * (end - begin);
  }
  std::vector<Tick> ticks(std::size_t n) const {
    return is_log ? log_ticks(low, high, n) : greybox::ticks(low, high, n);
  }
};

}  // namespace greybox
