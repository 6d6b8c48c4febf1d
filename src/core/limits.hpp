// The two values of double precision that stand for "there is none" and "without bound".
#pragma once

#include <limits>

namespace greybox {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace greybox
