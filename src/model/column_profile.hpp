// What a table looks like to somebody who is to model it.
#pragma once

#include <string>
#include <vector>

#include "data/table.hpp"

namespace greybox {

struct ColumnProfile {
  // In the file, and as equations can have it.
  std::string file_name, name;
  // Of a field; the rest is then about its middle point.
  std::size_t height = 1, width = 1;
  double low = 0, high = 0, mean = 0, sd = 0;
  std::size_t n_missing = 0;
  // Set from outside rather than measured: few distinct values, or constant for a while and then another.
  bool is_setting = false;
  // Of a setting: it changes within a series.
  bool is_stepped = false;
  bool is_constant = false;
  // Rows until its autocorrelation has fallen to 1/e.
  std::size_t memory = 1;

  bool is_field() const { return height * width > 1; }
};

struct TableProfile {
  std::vector<ColumnProfile> columns;
  // Rows of the shortest series, and of all.
  std::size_t n_shortest = 0, n_rows = 0, n_series = 0;
  double median_step = 1;
  // A snapshot window that sees the data change, and from one window's start to the next.
  std::size_t window = 0, stride = 1;
  bool splits_series = false;
};

// `taken` are names that no column may have.
TableProfile profile_of(const DataTable& table, const std::vector<std::string>& taken);

}  // namespace greybox
