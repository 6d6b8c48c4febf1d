// Colours for numbers: viridis, which is perceptually uniform and safe for colour-blind readers.
#pragma once

namespace greybox {

struct Colour {
  double red = 0, green = 0, blue = 0;  // each in [0, 1]
};

// From dark violet at 0 to yellow at 1; values beyond take the colour of the nearer end.
Colour viridis(double value);

inline constexpr Colour kInk{0.13, 0.13, 0.15};
inline constexpr Colour kFaintInk{0.42, 0.42, 0.46};
inline constexpr Colour kPaper{1, 1, 1};
inline constexpr Colour kNoValue{0.80, 0.80, 0.80};  // where there is no number to show
inline constexpr Colour kAccent{0.84, 0.15, 0.12};

}  // namespace greybox
