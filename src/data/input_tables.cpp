// Tables that inputs of the model come from, and rows of the same time.
#include <algorithm>
#include <cmath>

#include "core/checksum.hpp"
#include "data/table.hpp"

namespace greybox {
namespace {

template <class T>
void take_missing(std::vector<T>& values, std::size_t row, std::size_t other, std::size_t points) {
  for (std::size_t p = 0; p < points; ++p)
    if (std::isnan(values[row * points + p])) values[row * points + p] = values[other * points + p];
}

template <class T>
void keep_chosen(std::vector<T>& values, const std::vector<std::size_t>& rows, std::size_t points) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t p = 0; p < points; ++p) values[k * points + p] = values[rows[k] * points + p];
  values.resize(rows.size() * points);
}

void keep_chosen(DataTable& table, const std::vector<std::size_t>& rows) {
  for (Column& column : table.columns)
    std::visit(
        [&](auto& kept) { kept.change([&](auto& values) { keep_chosen(values, rows, column.points()); }); },
        column.values);
  keep_chosen(table.time, rows, 1);
  keep_chosen(table.lines, rows, 1);
}

// SHA-256 of the data's own and those of the inputs' tables.
std::string digest_with_inputs(std::string own, const std::vector<InputTable>& inputs) {
  for (const InputTable& input : inputs) own += ";" + input.name + ":" + input.table->sha256;
  return sha256(own);
}

}  // namespace

const DataTable* DataTable::find_input(std::string_view name) const {
  const auto found = std::ranges::find(inputs, name, &InputTable::name);
  return found == inputs.end() ? nullptr : found->table.get();
}

DataTable with_input(DataTable table, const std::string& name, std::shared_ptr<const DataTable> values) {
  const std::string own = table.own_sha256.empty() ? table.sha256 : table.own_sha256;
  std::erase_if(table.inputs, [&](const InputTable& known) { return known.name == name; });
  table.inputs.push_back({name, std::move(values)});
  std::ranges::sort(table.inputs, {}, &InputTable::name);
  table.own_sha256 = own;
  table.sha256 = digest_with_inputs(own, table.inputs);
  return table;
}

std::size_t merge_repeated_rows(DataTable& table) {
  std::vector<std::size_t> kept;
  kept.reserve(table.n_rows());
  for (Series& series : table.series) {
    const std::size_t first = kept.size(), end = series.first_row + series.n_rows;
    for (std::size_t row = series.first_row; row < end; ++row) {
      if (kept.size() == first || table.time[row] != table.time[kept.back()]) {
        kept.push_back(row);
        continue;
      }
      for (Column& column : table.columns)
        std::visit(
            [&](auto& shared) {
              shared.change([&](auto& values) { take_missing(values, kept.back(), row, column.points()); });
            },
            column.values);
    }
    series.first_row = first;
    series.n_rows = kept.size() - first;
  }
  const std::size_t n_gone = table.n_rows() - kept.size();
  if (n_gone > 0) keep_chosen(table, kept);
  return n_gone;
}

}  // namespace greybox
