// Cells of one text table: missing values by any name, decimal commas, dates.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "data/number.hpp"
#include "data/table.hpp"

namespace greybox {

class CellReader {
 public:
  explicit CellReader(const TableOptions& options);

  // With any separator but the comma, `1,5` is a number.
  void separated_by(char separator) { may_have_comma_ = separator != ','; }

  Cell read(std::string_view text);
  // A number, or a date in seconds since 1970-01-01.
  Cell read_time(std::string_view text);

  // NaN in place of the numbers among the words for missing values.
  template <class T>
  void blank_missing(std::vector<T>& values) const {
    for (const double number : numbers_)
      std::replace(values.begin(), values.end(), static_cast<T>(number), std::numeric_limits<T>::quiet_NaN());
  }

  bool has_dates() const { return has_dates_; }
  // A file has either: 1,234.5 and 1,234 would otherwise be guesses.
  bool mixes_commas_and_points() const { return has_comma_ && has_point_; }
  bool mixes_dates_and_numbers() const { return has_dates_ && has_number_times_; }

 private:
  bool is_missing_word(std::string_view text) const;

  std::vector<std::string> words_;
  std::vector<double> numbers_;
  bool may_have_comma_ = false;
  bool has_comma_ = false, has_point_ = false;
  bool has_dates_ = false, has_number_times_ = false;
  std::string with_point_;
};

// Sets the unit of the table's times; those of dates become numbers of it.
void set_time_unit(DataTable& table, const TableOptions& options, bool has_dates);
// Numbers of a column whose name has another unit than `table.time_unit`, such as `time_ms`.
void convert_times(DataTable& table);

}  // namespace greybox
