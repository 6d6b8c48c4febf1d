#include "report/space_time_picture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace greybox {

std::pair<double, double> draw_space_time(Canvas& canvas, const Rectangle& plot,
                                          std::span<const double> values, std::size_t width) {
  double low = 0, high = 0;
  bool is_first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = is_first ? value : std::min(low, value);
    high = is_first ? value : std::max(high, value);
    is_first = false;
  }
  const std::size_t n_times = values.size() / width;
  const double span = high > low ? high - low : 1;
  std::vector<Colour> pixels;
  for (std::size_t row = width; row-- > 0;)
    for (std::size_t k = 0; k < n_times; ++k) {
      const double value = values[k * width + row];
      pixels.push_back(std::isfinite(value) ? viridis((value - low) / span) : kNoValue);
    }
  canvas.image(plot, pixels, n_times);
  return {low, high};
}

}  // namespace greybox
