// Data as read from a file: named columns over rows, the rows grouped into series.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "data/shared_values.hpp"
#include "greybox/table.hpp"

namespace greybox {

// One variable. Scalars have one value per row, fields height × width values per row (row-major). Values keep
// the precision they were stored in, so that a table takes about the memory of its data. A missing value is
// NaN.
struct Column {
  std::string name;
  std::size_t height = 1;
  std::size_t width = 1;
  std::variant<SharedValues<float>, SharedValues<double>> values;

  std::size_t points() const { return height * width; }
  bool is_field() const { return points() > 1; }
  double at(std::size_t row, std::size_t point = 0) const;
  // Calls use(double) for each value of consecutive rows; those of a file do not stay in memory.
  template <class Use>
  void for_each(std::size_t first_row, std::size_t n_rows, const Use& use) const {
    std::visit(
        [&](const auto& kept) {
          kept.for_each(first_row * points(), n_rows * points(),
                        [&](auto value) { use(static_cast<double>(value)); });
        },
        values);
  }
  template <class Use>
  void for_each(const Use& use) const {
    std::visit([&](const auto& kept) { kept.for_each([&](auto value) { use(static_cast<double>(value)); }); },
               values);
  }
};

// Consecutive rows that belong to one trajectory.
struct Series {
  std::string name;
  std::size_t first_row = 0;
  std::size_t n_rows = 0;
  // The file it was read from, where a table is made of several.
  std::string file = {};
};

// The name of the one series of a file that does not name its trajectories.
inline constexpr std::string_view kWholeFile = "all";

struct DataTable;

// What an input of the model comes from, where that is not the rows of the data.
struct InputTable {
  // Of the input.
  std::string name;
  std::shared_ptr<const DataTable> table;
};

struct DataTable {
  // As the user gave it, for messages; for a table made in memory, its name.
  std::string file{};
  // Whether the table was read from that file.
  bool is_file = false;
  // SHA-256 of the file; of a table made in memory, of its content. Where inputs have tables of their own, of
  // both.
  std::string sha256{};
  // The data's alone, where `sha256` is of both.
  std::string own_sha256{};
  // Without the series and time columns.
  std::vector<Column> columns{};
  // Per row; 0, 1, 2, … within each series when there is no time.
  std::vector<double> time{};
  // The column it came from; empty where rows are counted.
  std::string time_name{};
  // As TableOptions::time_unit; empty where nobody said.
  std::string time_unit{};
  // The unit that the time column has in its name, where `time` was converted from it.
  std::string converted_from{};
  // The column held dates, which `time` counts from 1970-01-01.
  bool has_dates = false;
  // In order of first appearance; named kWholeFile when it is the whole file.
  std::vector<Series> series{};
  // Source line (CSV) of each row for messages: the line number in the file, or 0 for others.
  std::vector<std::uint32_t> lines{};
  std::vector<InputTable> inputs{};

  std::size_t n_rows() const { return time.size(); }
  const Column* find(std::string_view name) const;
  // The table of its own that an input has; null for none.
  const DataTable* find_input(std::string_view name) const;
};

// The table with one more for an input, in place of the one that it had.
DataTable with_input(DataTable table, const std::string& name, std::shared_ptr<const DataTable> values);

// One row for every time: of rows of the same time, the first value that is not missing. Gives the number of
// rows that are gone.
std::size_t merge_repeated_rows(DataTable& table);

// SHA-256 of everything in a table that a training could depend on.
std::string content_digest(const DataTable& table);

// Reads .csv, .tsv, .txt (wide tables) or .npz; throws InputError with file, row and column.
// npz: one array per variable, shaped (rows), (series × steps), (series × steps × width) or (series × steps ×
// height × width); `time` may be (steps) or (series × steps); float16/32/64, integers, booleans; C or Fortran
// order; stored or deflated. Series without names of their own are called by their index, from 0.
DataTable read_table(const std::filesystem::path& file, const TableOptions& options = {});
// Several files as one table: each is a series, named after it, unless it tells its series apart itself. They
// must have the same columns.
DataTable read_tables(const std::vector<std::filesystem::path>& files, const TableOptions& options = {});

}  // namespace greybox
