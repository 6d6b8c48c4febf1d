// A table: named columns of numbers or fields over rows, with the time of each row and the series it belongs
// to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace greybox {

struct DataTable;

struct TableOptions {
  // Empty: the column `series` if there is one, else one series.
  std::string series_column = {};
  // Empty: the column `time` if there is one, else the row number.
  std::string time_column = {};
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
  // Must increase strictly within each series. Without it rows are counted from 0 in each series.
  Table& time(std::span<const double> values);
  Table& column(std::string name, std::span<const double> values);
  Table& column(std::string name, std::span<const float> values);
  // height × width values per row, row-major.
  Table& field(std::string name, std::span<const double> values, std::size_t height, std::size_t width);
  Table& field(std::string name, std::span<const float> values, std::size_t height, std::size_t width);
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
