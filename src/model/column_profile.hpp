// What a table looks like to somebody who is to model it.
#pragma once

#include <algorithm>
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
  // Amounts given at instants, by its name and because most of its cells are 0 or missing.
  bool is_dose = false;
  // In the first rows of most series.
  bool is_missing_at_first = false;
  // Hardly ever falls within a series.
  bool is_cumulative = false;
  // How fast its logarithm rises and falls per unit of time where it is large; 0 where it does not.
  double growth = 0, decay = 0;
  // How fast it changes per unit of time, the root mean square over a tenth of its memory.
  double slope = 0;
  // Rows until its autocorrelation has fallen to 1/e.
  std::size_t memory = 1;

  bool is_field() const { return height * width > 1; }
  // A property of each series, such as its size.
  bool is_of_series() const { return is_setting && !is_stepped && !is_dose; }
};

struct TableProfile {
  // Without those that say what kind of row it is.
  std::vector<ColumnProfile> columns;
  // Rows of the shortest series, and of all.
  std::size_t n_shortest = 0, n_rows = 0, n_series = 0;
  double median_step = 1;

  const ColumnProfile& column(const std::string& name) const;
  std::vector<std::string> unmeasured_at_first() const;
  bool has_doses() const { return std::ranges::any_of(columns, &ColumnProfile::is_dose); }
};

std::string in_small_letters(std::string text);

// `taken` are names that no column may have.
TableProfile profile_of(const DataTable& table, const std::vector<std::string>& taken);

}  // namespace greybox
