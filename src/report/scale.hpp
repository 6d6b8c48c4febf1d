// Numbers on an axis: where they stand, and which of them to write.
#pragma once

#include <string>
#include <vector>

namespace greybox {

struct Tick {
  double value = 0;
  std::string label;
};

// Round numbers (1, 2 or 5 times a power of ten apart) within [low, high], about `n` of them.
std::vector<Tick> ticks(double low, double high, std::size_t n);

// A linear map from numbers to positions in a picture.
struct Scale {
  double low = 0, high = 1;   // numbers
  double begin = 0, end = 1;  // positions
  double operator()(double value) const { return begin + (value - low) / (high - low) * (end - begin); }
};

}  // namespace greybox
