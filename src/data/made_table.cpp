// Tables made of arrays in memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "core/checksum.hpp"
#include "data/row_groups.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

constexpr std::string_view kTime = "time";

[[noreturn]] void refuse_size(std::string_view what, std::size_t size, std::size_t n_rows) {
  throw std::invalid_argument(fmt::format("{} has {} values, but the table has {} rows", what, size, n_rows));
}

void check_finite(const DataTable& table) {
  Mistakes mistakes;
  for (const Column& column : table.columns)
    for (std::size_t row = 0; row < table.lines.size(); ++row)
      for (std::size_t point = 0; point < column.points(); ++point)
        if (std::isinf(column.at(row, point)))
          mistakes.add(place_of(table, row, column.name), "the value is infinite",
                       "put NaN where a value is missing");
  mistakes.throw_if_any();
}

}  // namespace

namespace {

std::string digest_in_double(const Column& column) {
  constexpr std::size_t at_once = 8192;
  Sha256 hash;
  std::vector<double> piece;
  const auto add_piece = [&] {
    hash.add({reinterpret_cast<const char*>(piece.data()), piece.size() * sizeof(double)});
    piece.clear();
  };
  column.for_each([&](double value) {
    piece.push_back(value);
    if (piece.size() == at_once) add_piece();
  });
  add_piece();
  return hash.digest();
}

std::string own_digest(const DataTable& table) {
  Sha256 hash;
  for (const Series& series : table.series) hash.add(fmt::format("{}:{};", series.name, series.n_rows));
  hash.add(sha256_of_numbers(table.time));
  for (const Column& column : table.columns) {
    hash.add(fmt::format("{}:{}x{};", column.name, column.height, column.width));
    // In double, whatever the precision in memory: a file that gives the numbers back has the same content.
    hash.add(digest_in_double(column));
  }
  return hash.digest();
}

}  // namespace

std::string content_digest(const DataTable& table) {
  std::string digest = own_digest(table);
  if (table.inputs.empty()) return digest;
  for (const InputTable& input : table.inputs)
    digest += ";" + input.name + ":" + content_digest(*input.table);
  return sha256(digest);
}

// Columns as they are given, rows in the caller's order.
struct Table::Draft {
  std::string name = "table";
  std::optional<std::size_t> n_rows;
  std::vector<std::string> series;
  std::vector<double> time;
  std::string time_name{kTime}, time_unit;
  bool has_dates = false;
  std::vector<Column> columns;
  std::vector<InputTable> inputs;

  void expect_rows(std::string_view what, std::size_t size) {
    if (n_rows && *n_rows != size) refuse_size(what, size, *n_rows);
    n_rows = size;
  }

  template <class T>
  void add(std::string column, std::span<const T> values, std::size_t height, std::size_t width) {
    const std::string what = fmt::format("column `{}`", column);
    const std::size_t points = height * width;
    if (points == 0 || values.size() % points != 0)
      throw std::invalid_argument(fmt::format("{} has {} values, which is no multiple of {} × {}", what,
                                              values.size(), height, width));
    expect_rows(what, values.size() / points);
    const auto is_it = [&](const Column& known) { return known.name == column; };
    if (std::any_of(columns.begin(), columns.end(), is_it))
      throw std::invalid_argument(what + " is given twice");
    columns.push_back({std::move(column), height, width, std::vector<T>(values.begin(), values.end())});
  }

  DataTable table() const {
    if (columns.empty()) throw std::invalid_argument("the table has no columns");
    DataTable table;
    table.file = name;
    table.columns = columns;
    table.time = time;
    if (!time.empty()) table.time_name = time_name;
    table.time_unit = time_unit;
    table.has_dates = has_dates;
    table.lines.assign(n_rows.value_or(0), 0);
    RowGroups groups;
    for (const std::string& of_row : series) groups.add(of_row);
    groups.apply(table);
    check_finite(table);
    time.empty() ? number_rows(table) : check_time(table, kTime, /*may_repeat=*/true);
    table.inputs = inputs;
    table.sha256 = content_digest(table);
    if (!inputs.empty()) table.own_sha256 = own_digest(table);
    return table;
  }
};

Table::Table() : draft_(std::make_shared<Draft>()) {}

Table::Table(std::shared_ptr<const DataTable> data) : data_(std::move(data)) {}

Table Table::read(const std::filesystem::path& file, const TableOptions& options) {
  return Table(std::make_shared<const DataTable>(read_table(file, options)));
}

// Columns may be added to a table that was read, too.
Table::Draft& Table::draft() {
  if (!draft_) {
    Draft from_data;
    from_data.name = data_->file;
    from_data.n_rows = data_->n_rows();
    for (const Series& one : data_->series)
      from_data.series.insert(from_data.series.end(), one.n_rows, one.name);
    from_data.time = data_->time;
    from_data.time_name = data_->time_name;
    from_data.time_unit = data_->time_unit;
    from_data.has_dates = data_->has_dates;
    from_data.columns = data_->columns;
    from_data.inputs = data_->inputs;
    draft_ = std::make_shared<Draft>(std::move(from_data));
  } else if (draft_.use_count() > 1) {
    draft_ = std::make_shared<Draft>(*draft_);
  }
  data_.reset();
  return *draft_;
}

Table& Table::series(std::span<const std::string> names) {
  draft().expect_rows("series", names.size());
  draft_->series.assign(names.begin(), names.end());
  return *this;
}

Table& Table::series(std::span<const std::int64_t> numbers) {
  std::vector<std::string> names;
  for (std::int64_t number : numbers) names.push_back(fmt::format("{}", number));
  return series(names);
}

Table& Table::time(std::span<const double> values) {
  draft().expect_rows(kTime, values.size());
  draft_->time.assign(values.begin(), values.end());
  draft_->time_name = kTime;
  draft_->has_dates = false;
  return *this;
}

Table& Table::column(std::string name, std::span<const double> values) {
  draft().add(std::move(name), values, 1, 1);
  return *this;
}

Table& Table::column(std::string name, std::span<const float> values) {
  draft().add(std::move(name), values, 1, 1);
  return *this;
}

Table& Table::field(std::string name, std::span<const double> values, std::size_t height, std::size_t width) {
  draft().add(std::move(name), values, height, width);
  return *this;
}

Table& Table::field(std::string name, std::span<const float> values, std::size_t height, std::size_t width) {
  draft().add(std::move(name), values, height, width);
  return *this;
}

// A table that was read stays that of its file.
Table& Table::input(std::string name, const Table& values) {
  if (data_) {
    data_ = std::make_shared<const DataTable>(with_input(*data_, name, values.data()));
    return *this;
  }
  std::vector<InputTable>& inputs = draft().inputs;
  std::erase_if(inputs, [&](const InputTable& known) { return known.name == name; });
  inputs.push_back({std::move(name), values.data()});
  std::ranges::sort(inputs, {}, &InputTable::name);
  return *this;
}

Table& Table::named(std::string name) {
  draft().name = std::move(name);
  return *this;
}

std::size_t Table::n_rows() const {
  return data_ ? data_->n_rows() : draft_->n_rows.value_or(0);
}

std::vector<std::string> Table::columns() const {
  std::vector<std::string> names;
  for (const Column& column : data_ ? data_->columns : draft_->columns) names.push_back(column.name);
  return names;
}

std::shared_ptr<const DataTable> Table::data() const {
  if (data_) return data_;
  return std::make_shared<const DataTable>(draft_->table());
}

}  // namespace greybox
