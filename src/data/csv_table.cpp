// Wide text tables into columns, without an allocation per cell.
#include "data/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/memory_limit.hpp"
#include "data/cell_advice.hpp"
#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"
#include "data/date.hpp"
#include "data/long_guess.hpp"
#include "data/mistakes.hpp"
#include "data/number.hpp"
#include "data/row_groups.hpp"
#include "data/series_guess.hpp"
#include "data/time_column.hpp"
#include "data/time_guess.hpp"

namespace greybox {
namespace {

// After so many rows the rest of the file is taken to be like them, and memory is set aside for it.
constexpr std::size_t kSampleRows = 1000;

class CsvTableReader {
 public:
  CsvTableReader(const std::filesystem::path& file, const TableOptions& options)
      : path_(file), options_(options), reader_(file), cells_(options) {
    table_.file = file.string();
    table_.is_file = true;
  }

  DataTable read() {
    read_header();
    while (reader_.next(record_)) {
      add_row();
      if (table_.lines.size() == kSampleRows) reserve_rest();
    }
    mistakes_.throw_if_any();
    refuse_mixtures();
    table_.sha256 = reader_.digest();
    if (table_.lines.empty()) place().refuse("no rows below the header", "add one line per row of data");
    release_spare();
    take_columns();
    groups_.apply(table_);
    greybox::check_names(table_);
    if (!has_time_) {
      refuse_likely_time();
      number_rows(table_);
      table_.time_unit = options_.time_unit;
      return std::move(table_);
    }
    table_.time_name = names_[time_];
    set_time_unit(table_, options_, cells_.has_dates());
    check_time(table_, names_[time_], options_.may_repeat_times);
    return std::move(table_);
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  Place place(std::string element = "") const { return {table_.file, std::move(element)}; }
  Place place_of_cell(std::size_t column) const {
    return place(fmt::format("row {}, column {}", record_.line, in_backquotes(names_[column])));
  }

  void read_header();
  void check_names();
  void make_room();
  void add_row();
  void add_cell(std::size_t column);
  void report(std::size_t column, CellKind kind);
  void report_width();
  void refuse_mixtures() const;
  void reserve_rest();
  void take_columns();
  void release_spare();
  // What pandas and R write before the first column.
  bool is_row_number(std::size_t column) const { return column == 0 && names_[0].empty(); }
  bool is_unread(std::size_t column) const;
  bool is_kept(std::size_t column) const { return column != series_ && !is_left_out_[column]; }
  void refuse_other_layouts();
  void refuse_likely_time() const;
  std::vector<double>& values(std::size_t column) { return column == time_ ? table_.time : values_[column]; }

  std::filesystem::path path_;
  TableOptions options_;
  CsvReader reader_;
  CellReader cells_;
  CsvRecord record_;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;  // of each file column; empty for series and time
  // Numbers of rows, and columns of words that no equation reads.
  std::vector<bool> is_left_out_;
  std::size_t series_ = kNone, time_ = kNone;
  bool has_time_ = false;
  RowGroups groups_;
  Mistakes mistakes_;
  DataTable table_;
};

void CsvTableReader::read_header() {
  if (!reader_.next(record_)) {
    place().refuse("the file has no header and no rows", "the first line names the columns, e.g. time,x,y");
  }
  names_.assign(record_.fields.begin(), record_.fields.end());
  cells_.separated_by(reader_.separator());
  rename_columns(names_, options_, place("header"));
  check_names();
  const ColumnRoles roles = find_roles(names_, options_, place("header"));
  series_ = roles.series.value_or(kNone);
  time_ = roles.time.value_or(kNone);
  has_time_ = time_ != kNone;
  make_room();
}

void CsvTableReader::check_names() {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const Place here = place(fmt::format("row {}, column {}", record_.line, i + 1));
    if (is_row_number(i) && names_.size() > 1) continue;
    if (names_[i].empty()) {
      mistakes_.add(here, "the column has no name",
                    "name it, or remove a separator at the end of the header");
      continue;
    }
    const CellKind kind = parse_cell(names_[i]).kind;
    if (kind == CellKind::number || kind == CellKind::out_of_range) {
      here.refuse(fmt::format("the header looks like numbers: {}", in_backquotes(names_[i])),
                  "the first line must name the columns, e.g. time,x,y, and must not start with `#`");
    }
    const auto [first, is_new] = seen.emplace(names_[i], i);
    if (is_new) continue;
    mistakes_.add(
        here,
        fmt::format("the name {} is already that of column {}", in_backquotes(names_[i]), first->second + 1),
        "give each column a name of its own");
  }
  mistakes_.throw_if_any();
}

void CsvTableReader::make_room() {
  values_.resize(names_.size());
  is_left_out_.resize(names_.size());
  std::size_t n_columns = 0;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    is_left_out_[i] = is_row_number(i);
    n_columns += i != time_ && is_kept(i) ? 1 : 0;
  }
  if (n_columns == 0)
    place("header").refuse("no column besides time and series", "add the measured variables");
}

void CsvTableReader::add_row() {
  if (record_.fields.size() != names_.size()) return report_width();
  if (table_.lines.empty()) refuse_other_layouts();
  for (std::size_t i = 0; i < names_.size(); ++i) add_cell(i);
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  table_.lines.push_back(static_cast<std::uint32_t>(std::min(record_.line, most)));
}

bool CsvTableReader::is_unread(std::size_t column) const {
  const auto& read = options_.columns_read;
  return options_.needs_time && !read.empty() && column != time_ && column != series_ &&
         std::ranges::find(read, names_[column]) == read.end();
}

// A first row of words alone, and one value per row.
void CsvTableReader::refuse_other_layouts() {
  std::size_t n_words = 0, n_empty = 0;
  for (const auto& field : record_.fields) {
    if (trimmed(field).empty())
      ++n_empty;
    else if (parse_cell(field).kind == CellKind::text && !advice_for_number(field) && !parse_date(field))
      ++n_words;
  }
  if (n_words > 1 && n_words + n_empty == names_.size())
    place(fmt::format("row {}", record_.line))
        .refuse("the row below the header has no numbers",
                "where it names units, put them into the header, such as `x [m]`, or remove the row");
  if (n_words == 0 || !options_.variable_column.empty()) return;
  TableOptions guess = options_;
  guess_long_format(path_, guess);
  const auto value = std::ranges::find(names_, guess.value_column);
  if (value == names_.end() || !is_unread(static_cast<std::size_t>(value - names_.begin()))) return;
  place("header").refuse("the file seems to have one value per row",
                         fmt::format("write `long = {{ variable = \"{}\", value = \"{}\" }}` in [data]",
                                     guess.variable_column, guess.value_column));
}

// Rows would be counted while some column that nothing reads rises in every series as times do.
void CsvTableReader::refuse_likely_time() const {
  if (!options_.needs_time || !options_.time_column.empty() || options_.columns_read.empty()) return;
  const std::string guess = guessed_time_column(path_, options_);
  const auto column = std::ranges::find(names_, guess);
  if (guess.empty() || column == names_.end()) return;
  if (!is_unread(static_cast<std::size_t>(column - names_.begin()))) return;
  place(fmt::format("column {}", in_backquotes(guess)))
      .refuse("no column is called like the time, and this one rises as times do",
              fmt::format("write `time = \"{}\"` in [data], or `time = \"none\"` to count rows", guess));
}

void CsvTableReader::add_cell(std::size_t column) {
  if (is_left_out_[column]) return;
  const Cell cell =
      column == time_ ? cells_.read_time(record_.fields[column]) : cells_.read(record_.fields[column]);
  if (column == series_) {
    if (cell.kind == CellKind::missing) report(column, cell.kind);
    groups_.add(record_.fields[column]);
    return;
  }
  const bool may_miss = column != time_ && cell.kind == CellKind::missing;
  if (cell.kind == CellKind::text && is_unread(column) &&
      guessed_series_column(path_, options_) != names_[column]) {
    is_left_out_[column] = true;
    values_[column] = {};
    return;
  }
  if (cell.kind != CellKind::number && !may_miss) report(column, cell.kind);
  values(column).push_back(cell.value);
}

void CsvTableReader::report(std::size_t column, CellKind kind) {
  const std::string_view text = record_.fields[column];
  const auto add = [&](std::string message, std::string help) {
    mistakes_.add(place_of_cell(column), std::move(message), std::move(help));
  };
  const std::optional<CellAdvice> of_number = advice_for_number(text);
  const std::optional<CellAdvice> of_date = column == time_ ? advice_for_date(text) : std::nullopt;
  if (kind == CellKind::missing) {
    add(fmt::format("a {} is needed in every row, but this cell is {}",
                    column == time_ ? "time" : "series name", in_backquotes(text)),
        "fill the cell or remove the row");
  } else if (kind == CellKind::infinite) {
    add(fmt::format("{} is infinite", in_backquotes(text)), "leave the cell empty when the value is missing");
  } else if (kind == CellKind::out_of_range) {
    add(fmt::format("{} is beyond the range of double precision", in_backquotes(text)),
        "rescale the column to another unit");
  } else if (of_date) {
    place_of_cell(column).refuse(of_date->message, of_date->help);
  } else if (of_number) {
    add(of_number->message, of_number->help);
  } else if (!has_time_ && parse_date(text)) {
    place_of_cell(column).refuse(
        fmt::format("{} is a date, and no column was taken for the time", in_backquotes(text)),
        fmt::format("write `time = \"{}\"` in [data]", names_[column]));
  } else if (text.find(' ') != std::string_view::npos && column != time_) {
    add(fmt::format("{} is not a number", in_backquotes(text)),
        "numbers have no blanks and no units; cells are separated by commas, semicolons or tabs");
  } else if (series_ == kNone && column != time_ && table_.lines.empty() &&
             guessed_series_column(path_, options_) == names_[column]) {
    place_of_cell(column).refuse(
        fmt::format("{} is not a number; {} seems to tell trajectories apart", in_backquotes(text),
                    in_backquotes(names_[column])),
        fmt::format("if {} tells trajectories apart, set `series = \"{}\"` in [data]",
                    in_backquotes(names_[column]), names_[column]));
  } else if (series_ == kNone && column != time_ && table_.lines.empty()) {
    add(fmt::format("{} is not a number", in_backquotes(text)),
        fmt::format(
            "if the column names trajectories, say so by `series` ({}); if the word stands for a missing "
            "value, name it in `missing_words` of [data]",
            in_backquotes(names_[column])));
  } else {
    add(fmt::format("{} is not a number", in_backquotes(text)),
        column == time_ ? "write numbers, or dates as 2021-03-05 or 2021-03-05T12:30"
                        : "write it like 1.5 or 1e-3; leave the cell empty when the value is missing, or "
                          "name the word in `missing_words` of [data]");
  }
}

void CsvTableReader::report_width() {
  const char separator = reader_.separator();
  const bool may_be_comma = separator == ',' && record_.fields.size() > names_.size();
  mistakes_.add(
      place(fmt::format("row {}", record_.line)),
      fmt::format("{} cells, but the header names {} columns", record_.fields.size(), names_.size()),
      may_be_comma ? "put text with commas into quotes, and write numbers with a decimal point, not a comma"
                   : fmt::format("separate the cells with {}, as in the header",
                                 separator == '\t' ? "tabs" : in_backquotes({&separator, 1})));
}

void CsvTableReader::refuse_mixtures() const {
  if (cells_.mixes_commas_and_points())
    place().refuse("some numbers have a decimal comma and others a decimal point",
                   "write all of them the same way, without separators of thousands");
  if (cells_.mixes_dates_and_numbers())
    place(fmt::format("column {}", in_backquotes(names_[time_])))
        .refuse("some times are dates and others are numbers", "write all of them the same way");
}

void CsvTableReader::reserve_rest() {
  std::error_code error;
  const auto size = std::filesystem::file_size(path_, error);
  if (error) return;  // a pipe: grow as it comes
  const double per_row = static_cast<double>(reader_.bytes_given()) / static_cast<double>(kSampleRows);
  const auto expected = static_cast<std::size_t>(1.05 * static_cast<double>(size) / per_row);
  const double per_table_row = static_cast<double>(names_.size() * sizeof(double) + sizeof(std::uint32_t));
  require_memory(
      static_cast<double>(expected) * per_table_row,
      [&] { return fmt::format("reading {}", in_backquotes(path_.string())); },
      "keep only the rows and columns that are needed");
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (is_kept(i)) values(i).reserve(expected);
  table_.lines.reserve(expected);
}

void CsvTableReader::take_columns() {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (i != time_ && is_kept(i))
      table_.columns.push_back({.name = names_[i], .values = std::move(values_[i])});
}

void CsvTableReader::release_spare() {
  const auto release = [](auto& vector) {
    if (vector.capacity() > vector.size() + vector.size() / 8) vector.shrink_to_fit();
  };
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (is_kept(i)) release(values(i));
  release(table_.lines);
}

}  // namespace

DataTable read_csv_table(const std::filesystem::path& file, const TableOptions& options) {
  return CsvTableReader(file, options).read();
}

}  // namespace greybox
