#include "model/observed_range.hpp"

#include <cmath>
#include <limits>

namespace greybox {

double observed_range(const LoadedModel& loaded, std::span<const std::size_t> windows) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const WindowData& data = loaded.data->windows();
  for (const Observed& observed : loaded.model->observed) {
    const Column& column = *data.columns[observed.column];
    for (std::size_t w : windows) {
      const Window& window = data.windows[w];
      for (std::size_t k = loaded.model->is_algebraic() ? 0 : 1; k < window.n_rows; ++k)
        for (std::size_t p = 0; p < column.points(); ++p) {
          low = std::fmin(low, column.at(window.first_row + k, p));
          high = std::fmax(high, column.at(window.first_row + k, p));
        }
    }
  }
  return high - low;
}

}  // namespace greybox
