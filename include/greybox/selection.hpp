// Which windows of the data a function works on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace greybox {

enum class Split : std::uint8_t { train, validation, test };

std::string to_string(Split split);
// Throws InputError for a name that is none.
Split split_named(const std::string& name);

// Windows of one or several splits; empty: all windows of the data.
struct Splits {
  std::vector<Split> parts;
};

// One window, by its number among all windows of the data, from 0.
struct WindowIndex {
  std::size_t index = 0;
};

// The window of a series that starts at this time.
struct WindowAt {
  std::string series;
  double time = 0;
};

struct InputRange {
  // A column that the model reads.
  std::string column;
  double low = 0, high = 0;
  std::size_t n_points = 0;
};

// Grid points of the inputs of an algebraic model, in all combinations; there are no measured outputs then,
// and no errors.
struct Points {
  std::vector<InputRange> axes;
};

// Left empty: the split that suits the function, as its options say.
using Selection = std::variant<std::monostate, Splits, WindowIndex, WindowAt, Points>;

}  // namespace greybox
