// Arrays into columns: shapes compared, rows laid out series by series.
#include "data/npz_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/memory_limit.hpp"
#include "data/csv_cells.hpp"
#include "data/mistakes.hpp"
#include "data/npz.hpp"
#include "data/npz_axes.hpp"
#include "data/number.hpp"
#include "data/row_groups.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

// What is left in a file: fields, and what may be one of a single series.
constexpr std::size_t kLeastAxesInFile = 3;
constexpr const char* kShapes =
    "arrays are (rows), (series × steps), (series × steps × width) or (series × steps × height × width)";
constexpr const char* kOneAxis =
    "either all arrays have an axis for the series or none; coordinates of the points of fields are read "
    "where "
    "they are called `x` or `y`, and a field that does not change in time where `static` in [grid] names it; "
    "leave other arrays out";
constexpr const char* kStaticShapes =
    "arrays of fields that do not change in time are (height × width) or (width), or have an axis of the "
    "series before these";

std::string shape_text(const NpyArray& array) {
  return fmt::format("({})", fmt::join(array.shape, " × "));
}

class NpzTableReader {
 public:
  NpzTableReader(const std::filesystem::path& file, const TableOptions& options) : options_(options) {
    // Words for missing values are replaced in memory.
    NpzFile read =
        options.missing_words.empty() ? read_npz_file(file, kLeastAxesInFile) : read_npz_file(file);
    entries_ = std::move(read.entries);
    table_.file = file.string();
    table_.is_file = true;
    table_.sha256 = std::move(read.sha256);
  }

  std::vector<GridAxis> axes() {
    take_roles();
    return take_axes();
  }

  DataTable read() {
    take_roles();
    take_axes();
    if (entries_.empty())
      place("").refuse("no array besides time and series", "add one array per measured variable");
    check_shapes();
    table_.lines.assign(is_stacked_ ? n_series_ * n_steps_ : n_steps_, 0);
    is_stacked_ ? name_stacked_series() : lay_time_wide();
    for (NpzEntry& entry : entries_) add_column(entry);
    for (const NpzEntry& entry : statics_) add_static(entry);
    if (!is_stacked_) group_rows();
    check_names(table_);
    check_finite();
    table_.time_unit = options_.time_unit;
    if (has_time_) table_.time_name = time_.name;
    convert_times(table_);
    has_time_ ? check_time(table_, time_.name, options_.may_repeat_times) : number_rows(table_);
    return std::move(table_);
  }

 private:
  Place place(std::string element) const { return {table_.file, std::move(element)}; }
  Place place(const NpzEntry& entry) const {
    return place(fmt::format("array {}", in_backquotes(entry.name)));
  }

  void take_roles();
  std::vector<GridAxis> take_axes() {
    return take_grid_axes(entries_, has_time_ ? &time_ : nullptr, options_, table_.file);
  }
  void check_shapes();
  void check_shape(const NpzEntry& entry) const;
  void expect_shape(const NpzEntry& entry, bool is_sound, std::string_view expected) const;
  void name_stacked_series();
  void lay_time_stacked();
  void lay_time_wide();
  void group_rows();
  void add_column(NpzEntry& entry);
  void add_static(const NpzEntry& entry);
  void check_finite() const;
  std::vector<std::string> names_of(const NpzEntry& entry) const;

  TableOptions options_;
  std::vector<NpzEntry> entries_;  // the variables, once time and series are taken out
  std::vector<NpzEntry> statics_;  // without an axis of steps
  NpzEntry time_, series_;
  bool has_time_ = false, has_series_ = false;
  bool is_stacked_ = false;              // arrays have an axis for the series
  const NpzEntry* reference_ = nullptr;  // whose shape the others have to go with
  std::size_t n_series_ = 1, n_steps_ = 0;
  DataTable table_;
};

void NpzTableReader::take_roles() {
  std::vector<std::string> names;
  for (const NpzEntry& entry : entries_) names.push_back(entry.name);
  rename_columns(names, options_, place(""));
  for (std::size_t i = 0; i < names.size(); ++i) entries_[i].name = names[i];
  const auto series = find_role(names, options_.series_column, "series", place(""));
  const auto time = find_time(names, options_, place(""));
  if (series && series == time) {
    place(entries_[*time]).refuse("the array cannot be both time and series", "name two different arrays");
  }
  has_series_ = series.has_value();
  has_time_ = time.has_value();
  if (series) series_ = std::move(entries_[*series]);
  if (time) time_ = std::move(entries_[*time]);
  std::vector<NpzEntry> variables;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i == series || i == time) continue;
    const bool is_static =
        std::ranges::find(options_.static_fields, names[i]) != options_.static_fields.end();
    (is_static ? statics_ : variables).push_back(std::move(entries_[i]));
  }
  entries_ = std::move(variables);
}

void NpzTableReader::check_shapes() {
  if (has_time_ && time_.is_text) place(time_).refuse("time is text", "save it as numbers");
  const auto has_fewer_axes = [](const NpzEntry& a, const NpzEntry& b) {
    return a.numbers.shape.size() < b.numbers.shape.size();
  };
  reference_ = &*std::ranges::max_element(entries_, has_fewer_axes);
  const std::vector<std::size_t>& first = reference_->numbers.shape;
  is_stacked_ = first.size() > 1;
  for (const NpzEntry& entry : entries_) check_shape(entry);
  n_series_ = is_stacked_ ? first[0] : 1;
  n_steps_ = is_stacked_ ? first[1] : first[0];
}

void NpzTableReader::check_shape(const NpzEntry& entry) const {
  const std::vector<std::size_t>& shape = entry.numbers.shape;
  const NpzEntry& first = *reference_;
  if (entry.is_text) place(entry).refuse("an array of text", "only the series may be text; save numbers");
  if (shape.empty() || shape.size() > 4) {
    place(entry).refuse(fmt::format("an array with {} axes", shape.size()), kShapes);
  }
  if (entry.numbers.size() == 0)
    place(entry).refuse(fmt::format("an empty array, {}", shape_text(entry.numbers)), kShapes);
  const std::string both = fmt::format("the shape {} does not go with {} of {}", shape_text(entry.numbers),
                                       shape_text(first.numbers), in_backquotes(first.name));
  if ((shape.size() > 1) != is_stacked_)
    place(entry).refuse(both,
                        is_stacked_ ? kOneAxis : "either all arrays have an axis for the series or none");
  const std::size_t n_shared = is_stacked_ ? 2 : 1;
  if (!std::equal(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(n_shared),
                  first.numbers.shape.begin())) {
    place(entry).refuse(both, is_stacked_ ? "all arrays need the same numbers of series and steps"
                                          : "all arrays need the same number of rows");
  }
}

void NpzTableReader::expect_shape(const NpzEntry& entry, bool is_sound, std::string_view expected) const {
  if (is_sound) return;
  const NpzEntry& first = *reference_;
  place(entry).refuse(fmt::format("the shape {} does not go with {} of {}", shape_text(entry.numbers),
                                  shape_text(first.numbers), in_backquotes(first.name)),
                      fmt::format("{} must be {}", in_backquotes(entry.name), expected));
}

std::vector<std::string> NpzTableReader::names_of(const NpzEntry& entry) const {
  std::vector<std::string> names = entry.text;
  if (!entry.is_text) {
    for (const double value : entry.numbers.to_doubles()) {
      if (!std::isfinite(value))
        place(entry).refuse("a series that is not a number", "give each row a number or a name");
      names.push_back(shortest(value));
    }
  }
  if (std::find(names.begin(), names.end(), "") != names.end()) {
    place(entry).refuse("a series without a name", "give each row a number or a name");
  }
  return names;
}

void NpzTableReader::name_stacked_series() {
  std::vector<std::string> names;
  if (has_series_) {
    expect_shape(series_, series_.numbers.shape == std::vector{n_series_}, "(series)");
    names = names_of(series_);
  }
  for (std::size_t i = names.size(); i < n_series_; ++i) names.push_back(fmt::format("{}", i));
  for (std::size_t i = 0; i < n_series_; ++i) {
    table_.series.push_back({.name = names[i], .first_row = i * n_steps_, .n_rows = n_steps_});
  }
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    place(series_).refuse(fmt::format("two series are called {}", in_backquotes(*twice)),
                          "give each series a name of its own");
  }
  if (has_time_) lay_time_stacked();
}

void NpzTableReader::lay_time_stacked() {
  const std::vector<std::size_t>& shape = time_.numbers.shape;
  const bool is_shared =
      shape == std::vector{n_steps_} || (n_series_ == 1 && time_.numbers.size() == n_steps_);
  expect_shape(time_, is_shared || shape == std::vector{n_series_, n_steps_}, "(steps) or (series × steps)");
  const std::vector<double> values = time_.numbers.to_doubles();
  for (std::size_t i = 0; i < (is_shared ? n_series_ : 1); ++i) {
    table_.time.insert(table_.time.end(), values.begin(), values.end());
  }
}

void NpzTableReader::lay_time_wide() {
  if (!has_time_) return;
  expect_shape(time_, time_.numbers.shape == std::vector{n_steps_}, "(rows)");
  table_.time = time_.numbers.to_doubles();
}

void NpzTableReader::group_rows() {
  RowGroups groups;
  if (has_series_) {
    expect_shape(series_, series_.numbers.shape == std::vector{n_steps_}, "(rows)");
    for (const std::string& name : names_of(series_)) groups.add(name);
  }
  groups.apply(table_);
}

void NpzTableReader::add_column(NpzEntry& entry) {
  const CellReader cells(options_);
  const std::vector<std::size_t>& shape = entry.numbers.shape;
  Column column{.name = entry.name,
                .height = shape.size() == 4 ? shape[2] : 1,
                .width = shape.size() > 2 ? shape.back() : 1,
                .values = {}};
  if (auto* left_single = std::get_if<SharedValues<float>>(&entry.in_file)) {
    column.values = std::move(*left_single);
  } else if (auto* left_double = std::get_if<SharedValues<double>>(&entry.in_file)) {
    column.values = std::move(*left_double);
  } else if (auto* single = std::get_if<std::vector<float>>(&entry.numbers.values)) {
    cells.blank_missing(*single);
    column.values = std::move(*single);
  } else {
    auto* twofold = std::get_if<std::vector<double>>(&entry.numbers.values);
    std::vector<double> values = twofold != nullptr ? std::move(*twofold) : entry.numbers.to_doubles();
    cells.blank_missing(values);
    column.values = std::move(values);
  }
  entry.numbers.values = std::vector<float>{};
  table_.columns.push_back(std::move(column));
}

// The sizes of its last axes are those of a field that changes; every row has a copy of the values.
void NpzTableReader::add_static(const NpzEntry& entry) {
  const std::vector<std::size_t>& shape = entry.numbers.shape;
  const auto field = std::ranges::find_if(table_.columns, &Column::is_field);
  if (field == table_.columns.end())
    place(entry).refuse("a field that does not change in time, and no field that does", kStaticShapes);
  std::vector<std::size_t> of_field = {field->width};
  if (field->height > 1) of_field.insert(of_field.begin(), field->height);
  std::vector<std::size_t> of_series = of_field;
  of_series.insert(of_series.begin(), n_series_);
  if (entry.is_text || (shape != of_field && shape != of_series))
    place(entry).refuse(fmt::format("the shape {} does not go with fields of ({})", shape_text(entry.numbers),
                                    fmt::join(of_field, " × ")),
                        kStaticShapes);
  const std::vector<double> from = entry.to_doubles();
  const std::size_t points = field->points();
  require_memory(
      static_cast<double>(n_series_ * n_steps_ * points * sizeof(float)),
      [&] { return fmt::format("{}, of which every row has a copy,", in_backquotes(entry.name)); },
      "leave it out of the file, or write it as an equation of `x` and `y`");
  std::vector<float> values;
  values.reserve(n_series_ * n_steps_ * points);
  for (std::size_t row = 0; row < n_series_ * n_steps_; ++row) {
    const auto first =
        from.begin() + static_cast<std::ptrdiff_t>(shape == of_field ? 0 : row / n_steps_ * points);
    for (auto value = first; value != first + static_cast<std::ptrdiff_t>(points); ++value)
      values.push_back(static_cast<float>(*value));
  }
  table_.columns.push_back({entry.name, field->height, field->width, std::move(values)});
}

void NpzTableReader::check_finite() const {
  Mistakes mistakes;
  const auto check = [&](const Column& column, const auto& values) {
    if (!values.has_infinite()) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isinf(values[i])) continue;
      mistakes.add(place_of(table_, i / column.points(), column.name), "an infinite value",
                   "put NaN where a value is missing");
    }
  };
  for (const Column& column : table_.columns) {
    std::visit([&](const auto& values) { check(column, values); }, column.values);
  }
  for (std::size_t row = 0; row < table_.time.size(); ++row) {
    if (std::isfinite(table_.time[row])) continue;
    mistakes.add(place_of(table_, row, time_.name), "a time is needed for every row",
                 "fill it or remove the row");
  }
  mistakes.throw_if_any();
}

}  // namespace

std::vector<GridAxis> read_npz_axes(const std::filesystem::path& file, const TableOptions& options) {
  const bool can_be_read_again = file.extension() == ".npz" && std::filesystem::is_regular_file(file);
  return can_be_read_again ? NpzTableReader(file, options).axes() : std::vector<GridAxis>{};
}

DataTable read_npz_table(const std::filesystem::path& file, const TableOptions& options) {
  return NpzTableReader(file, options).read();
}

}  // namespace greybox
