#include "report/colour_map.hpp"

#include <algorithm>

namespace greybox {
namespace {

// A polynomial of degree six per channel, fitted to viridis by Matt Zucker and placed in the public domain.
constexpr double kCoefficients[7][3] = {
    {0.2777273272234177, 0.005407344544966578, 0.3340998053353061},
    {0.1050930431085774, 1.404613529898575, 1.384590162594685},
    {-0.3308618287255563, 0.214847559468213, 0.09509516302823659},
    {-4.634230498983486, -5.799100973351585, -19.33244095627987},
    {6.228269936347081, 14.17993336680509, 56.69055260068105},
    {4.776384997670288, -13.74514537774601, -65.35303263337234},
    {-5.435455855934631, 4.645852612178535, 26.3124352495832},
};

double channel(double value, int which) {
  double sum = 0;
  for (int degree = 6; degree >= 0; --degree) sum = sum * value + kCoefficients[degree][which];
  return std::clamp(sum, 0.0, 1.0);
}

}  // namespace

Colour viridis(double value) {
  const double inside = std::clamp(value, 0.0, 1.0);
  return {channel(inside, 0), channel(inside, 1), channel(inside, 2)};
}

}  // namespace greybox
