#include "analysis/structure/column_spread.hpp"

#include <cmath>

namespace greybox {

double spread_of(const Column& column) {
  return std::visit(
      [](const auto& values) {
        double n = 0, sum = 0, squares = 0;
        const auto visit = [&](auto&& f) {
          for (const double value : values)
            if (!std::isnan(value)) f(value);
        };
        visit([&](double value) { ++n, sum += value; });
        visit([&](double value) { squares += std::pow(value - sum / n, 2); });
        return n > 0 ? std::sqrt(squares / n) : 0;
      },
      column.values);
}

}  // namespace greybox
