// A cell of a text table as a number, whatever the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace greybox {

enum class CellKind : std::uint8_t { number, missing, infinite, out_of_range, text };

struct Cell {
  CellKind kind = CellKind::text;
  double value = 0;  // NaN when missing
};

// `text` without blanks around it. Missing is: empty, `-`, or NA, N/A, #N/A, NaN, null, none, missing in any
// case.
Cell parse_cell(std::string_view text);

std::string_view trimmed(std::string_view text);  // without spaces and tabs around it
std::string shortest(double value);               // the fewest digits that read back as the same number

}  // namespace greybox
