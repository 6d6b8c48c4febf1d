#include "analysis/structure/column_spread.hpp"

#include <cmath>

namespace greybox {

double spread_of(const Column& column) {
  double n = 0, sum = 0, squares = 0;
  const auto visit = [&](auto&& use) {
    column.for_each([&](double value) {
      if (!std::isnan(value)) use(value);
    });
  };
  visit([&](double value) { ++n, sum += value; });
  visit([&](double value) { squares += std::pow(value - sum / n, 2); });
  return n > 0 ? std::sqrt(squares / n) : 0;
}

}  // namespace greybox
