#include "analysis/landscape/adaptivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/median.hpp"

namespace greybox {

Adaptivity audit_adaptivity(std::span<const double> losses) {
  const double median = median_of({losses.begin(), losses.end()});
  Adaptivity audit;
  std::size_t n_poor = 0;
  double lowest = std::numeric_limits<double>::infinity(), highest = 0;
  for (double loss : losses) {
    const bool is_poor = !(loss <= kPoorFactor * median);
    audit.is_poor.push_back(is_poor);
    n_poor += is_poor;
    if (std::isnan(loss)) continue;
    lowest = std::min(lowest, loss);
    highest = std::max(highest, loss);
  }
  audit.poor_share = static_cast<double>(n_poor) / static_cast<double>(losses.size());
  const std::string range = fmt::format("RMSE {:.3g} to {:.3g}, median {:.3g}", std::sqrt(lowest),
                                        std::sqrt(highest), std::sqrt(median));
  if (n_poor == 0)
    audit.sentence = fmt::format("the network adapts to every θ here ({})", range);
  else if (n_poor == losses.size())
    audit.sentence = "no θ here gives finite predictions";
  else
    audit.sentence = fmt::format(
        "the network did not adapt over {:.2g} % of the grid, and R says nothing there: L is above {} times "
        "its median "
        "or not finite ({})",
        100 * audit.poor_share, kPoorFactor, range);
  return audit;
}

}  // namespace greybox
