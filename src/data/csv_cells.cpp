#include "data/csv_cells.hpp"

#include <algorithm>
#include <limits>

#include "data/date.hpp"

namespace greybox {

CellReader::CellReader(const TableOptions& options) : words_(options.missing_words) {
  for (const std::string& word : words_)
    if (const Cell cell = parse_cell(word); cell.kind == CellKind::number) numbers_.push_back(cell.value);
}

bool CellReader::is_missing_word(std::string_view text) const {
  return std::ranges::find(words_, text) != words_.end();
}

Cell CellReader::read(std::string_view text) {
  constexpr Cell missing = {CellKind::missing, std::numeric_limits<double>::quiet_NaN()};
  if (!words_.empty() && is_missing_word(text)) return missing;
  Cell cell = parse_cell(text);
  if (cell.kind == CellKind::number && may_have_comma_)
    has_point_ |= text.find('.') != std::string_view::npos;
  if (cell.kind == CellKind::text && may_have_comma_ && std::ranges::count(text, ',') == 1) {
    with_point_ = text;
    std::ranges::replace(with_point_, ',', '.');
    const Cell decimal = parse_cell(with_point_);
    has_comma_ |= decimal.kind == CellKind::number;
    if (decimal.kind != CellKind::text) cell = decimal;
  }
  if (cell.kind == CellKind::number && std::ranges::find(numbers_, cell.value) != numbers_.end())
    return missing;
  return cell;
}

Cell CellReader::read_time(std::string_view text) {
  const Cell cell = read(text);
  has_number_times_ |= cell.kind == CellKind::number;
  if (cell.kind != CellKind::text) return cell;
  const auto date = parse_date(text);
  if (!date) return cell;
  has_dates_ = true;
  return {CellKind::number, *date};
}

void set_time_unit(DataTable& table, const TableOptions& options, bool has_dates) {
  table.has_dates = has_dates;
  table.time_unit = options.time_unit.empty() && has_dates ? "days" : options.time_unit;
  const double unit = seconds_of(table.time_unit).value_or(1);
  if (!has_dates) return convert_times(table);
  for (double& time : table.time) time /= unit;
}

void convert_times(DataTable& table) {
  const auto own = seconds_of(unit_in_name(table.time_name)), unit = seconds_of(table.time_unit);
  if (!own || !unit || *own == *unit) return;
  table.converted_from = unit_in_name(table.time_name);
  for (double& time : table.time) time *= *own / *unit;
}

}  // namespace greybox
