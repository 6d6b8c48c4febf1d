// Tables made in memory for tests.
#pragma once

#include <string>
#include <vector>

#include "data/table.hpp"

namespace greybox::test {

// Series `0`, `1`, … of the given lengths with one column x; time is 0, 1, 2, …
inline DataTable made_table(const std::vector<std::size_t>& lengths, std::vector<double> x = {}) {
  DataTable table;
  table.file = "made.csv";
  for (const std::size_t length : lengths) {
    table.series.push_back({std::to_string(table.series.size()), table.time.size(), length});
    for (std::size_t i = 0; i < length; ++i) {
      table.time.push_back(static_cast<double>(i));
      table.lines.push_back(static_cast<std::uint32_t>(table.time.size() + 1));
    }
  }
  x.resize(table.time.size());
  table.columns.push_back({.name = "x", .values = std::move(x)});
  return table;
}

}  // namespace greybox::test
