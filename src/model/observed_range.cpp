#include "model/observed_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/settled_scales.hpp"

namespace greybox {
namespace {

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
};

Interval interval_of(const LoadedModel& loaded, const Observed& observed,
                     std::span<const std::size_t> windows) {
  const WindowData& data = loaded.data->windows();
  const Column& column = *data.columns[observed.column];
  Interval interval;
  for (std::size_t w : windows) {
    const Window& window = data.windows[w];
    const std::size_t n_given = loaded.model->is_algebraic() ? 0 : 1;
    column.for_each(window.first_row + n_given, window.n_rows - n_given, [&](double value) {
      interval.low = std::fmin(interval.low, value);
      interval.high = std::fmax(interval.high, value);
    });
  }
  return interval;
}

}  // namespace

double observed_range(const LoadedModel& loaded, std::span<const std::size_t> windows) {
  Interval all;
  double squares = 0;
  for (const Observed& observed : loaded.model->observed) {
    const Interval own = interval_of(loaded, observed, windows);
    all = {std::min(all.low, own.low), std::max(all.high, own.high)};
    squares += (own.high - own.low) * (own.high - own.low);
  }
  const bool has_scales = loaded.spec->scales && !loaded.spec->scales->observed.empty();
  return has_scales ? std::sqrt(squares / static_cast<double>(loaded.model->observed.size()))
                    : all.high - all.low;
}

double range_for(const LoadedModel& loaded, std::span<const std::size_t> windows) {
  return loaded.model->uses_errors ? observed_range(loaded, windows)
                                   : std::numeric_limits<double>::quiet_NaN();
}

double error_unit(const ModelSpec& spec) {
  if (!spec.scales || spec.scales->observed.empty()) return 1;
  const std::vector<Equation>& observed = spec.observe.empty() ? spec.theory : spec.observe;
  double squares = 0;
  for (const Equation& equation : observed)
    squares += std::pow(scale_in(spec.scales->observed, equation.name), 2);
  return std::sqrt(squares / static_cast<double>(observed.size()));
}

}  // namespace greybox
