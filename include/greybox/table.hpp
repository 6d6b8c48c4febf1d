// A table: named columns of numbers or fields over rows, with the time of each row and the series it belongs
// to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace greybox {

struct DataTable;

struct TableOptions {
  // Empty: the column `series` if there is one, else one series.
  std::string series_column = {};
  // Empty: the column with a usual name of times (`time`, `t`, `timestamp`, `date`, `time [s]`, `day`, …) if
  // there is one, else rows are counted. "none": rows are counted.
  std::string time_column = {};
  // Of times, also of those that are numbers: "seconds", "minutes", "hours", "days", "weeks" or "years".
  // Dates are counted in it from 1970-01-01, in days when it is empty.
  std::string time_unit = {};
  // Names for columns of the file: {"flow", "flow [l/min]"} calls the second by the first.
  std::vector<std::pair<std::string, std::string>> renamed = {};
  // Cells that stand for a missing value, besides empty ones and the usual words (NA, N/A, NaN, null, none,
  // missing, -). Numbers are compared as numbers.
  std::vector<std::string> missing_words = {};
  // Long format: one value per row, in `value_column`, of the variable that `variable_column` names. Both
  // empty: every column is a variable.
  std::string variable_column = {}, value_column = {};
  // Arrays of an npz file that have no axis of steps: (height × width) or (width), the same for all series,
  // or with an axis of the series before.
  std::vector<std::string> static_fields = {};
  // Columns that equations read: one with a usual name of times is then refused until time_column is given.
  std::vector<std::string> columns_read = {};
  // False: only a column called `time` is taken for the time unasked.
  bool needs_time = true;
  // Rows of a series may have the same time: values of inputs before and after a step.
  bool may_repeat_times = false;
  // Names above that the file need not have: where it lacks them, the usual ones hold.
  bool may_lack_series = false, may_lack_time = false, may_lack_renamed = false;
};

// Cheap to copy: copies share their columns until one of them is changed. Arrays are copied in; every one has
// a value per row. A missing value is NaN. Each function throws std::invalid_argument when sizes do not
// agree.
class Table {
 public:
  // Without rows and columns, to be filled.
  Table();
  // For the library's own use.
  explicit Table(std::shared_ptr<const DataTable> data);

  // Reads .csv, .tsv, .txt or .npz (docs/data.md); throws InputError with file, row and column.
  static Table read(const std::filesystem::path& file, const TableOptions& options = {});

  // The series of each row; rows of a series need not be consecutive. Without it all rows are one series.
  Table& series(std::span<const std::string> names);
  Table& series(std::span<const std::int64_t> numbers);
  // Must increase within each series, strictly unless the model has inputs that step there. Without it rows
  // are counted from 0 in each series.
  Table& time(std::span<const double> values);
  Table& column(std::string name, std::span<const double> values);
  Table& column(std::string name, std::span<const float> values);
  // height × width values per row, row-major.
  Table& field(std::string name, std::span<const double> values, std::size_t height, std::size_t width);
  Table& field(std::string name, std::span<const float> values, std::size_t height, std::size_t width);
  // A table of its own for an input of the model, at its own times, in place of the file that the model
  // names.
  Table& input(std::string name, const Table& values);
  // What messages call the table; for a file, its path.
  Table& named(std::string name);

  std::size_t n_rows() const;
  std::vector<std::string> columns() const;

  // For the library's own use: rows gathered by series, times checked. Throws InputError.
  std::shared_ptr<const DataTable> data() const;

 private:
  struct Draft;
  Draft& draft();

  std::shared_ptr<const DataTable> data_;
  std::shared_ptr<Draft> draft_;
};

}  // namespace greybox
