#include "data/time_guess.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewestRows = 5;
// Rows are at least so many times as many as beginnings.
constexpr std::size_t kRowsPerBeginning = 3;
// They count rows.
constexpr auto kNumbersOfRows = std::to_array<std::string_view>(
    {"", "index", "Index", "row", "Row", "no", "No", "nr", "Nr", "#", "id", "ID", "Unnamed: 0"});

// One column, row by row.
class Rises {
 public:
  void add(double value) {
    is_broken_ = is_broken_ || !std::isfinite(value) || (n_rows_ > 0 && value == last_);
    const bool begins = n_rows_ == 0 || value < last_;
    // Where time begins anew it is about what it was at first.
    is_broken_ = is_broken_ || (begins && n_rows_ > 0 && value >= second_);
    if (n_rows_ == 1) second_ = value;
    n_beginnings_ += begins ? 1 : 0;
    last_ = value;
    ++n_rows_;
  }
  bool is_time() const {
    return !is_broken_ && n_rows_ >= kFewestRows && n_rows_ >= kRowsPerBeginning * n_beginnings_;
  }

 private:
  double second_ = std::numeric_limits<double>::infinity(), last_ = 0;
  std::size_t n_rows_ = 0, n_beginnings_ = 0;
  bool is_broken_ = false;
};

}  // namespace

std::string guessed_time_column(const std::filesystem::path& file, const TableOptions& options) {
  const bool can_be_read_again = std::filesystem::is_regular_file(file);
  if (!can_be_read_again || file.extension() == ".npz" || !options.variable_column.empty()) return {};
  CsvReader reader(file);
  CellReader cells(options);
  CsvRecord record;
  if (!reader.next(record)) return {};
  std::vector<std::string> names(record.fields.begin(), record.fields.end());
  cells.separated_by(reader.separator());
  const Place header{file.string(), "header"};
  rename_columns(names, options, header);
  if (find_roles(names, options, header).time) return {};
  std::vector<Rises> columns(names.size());
  while (reader.next(record))
    for (std::size_t i = 0; i < columns.size() && i < record.fields.size(); ++i) {
      const Cell cell = cells.read_time(record.fields[i]);
      columns[i].add(cell.kind == CellKind::number ? cell.value : std::numeric_limits<double>::quiet_NaN());
    }
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].is_time() && std::ranges::find(kNumbersOfRows, names[i]) == kNumbersOfRows.end())
      return names[i];
  return {};
}

}  // namespace greybox
