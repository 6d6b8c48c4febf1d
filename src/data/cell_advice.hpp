// What to do about a cell that was meant as a number and is none.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace greybox {

struct CellAdvice {
  std::string message, help;
};

// Of decimal commas, separators of thousands and units; none for other words.
std::optional<CellAdvice> advice_for_number(std::string_view text);
// Of dates in an order that cannot be known; none for other words.
std::optional<CellAdvice> advice_for_date(std::string_view text);

}  // namespace greybox
