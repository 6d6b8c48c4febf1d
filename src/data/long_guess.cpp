#include "data/long_guess.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

constexpr auto kVariables = std::to_array<std::string_view>(
    {"variable", "parameter", "quantity", "analyte", "measurand", "species", "channel", "signal", "sensor",
     "tag", "observable", "name", "test", "measure", "indicator", "parametre", "parametro", "messgröße",
     "messgroesse"});
constexpr auto kValues =
    std::to_array<std::string_view>({"value", "values", "result", "reading", "measurement", "val", "wert",
                                     "messwert", "ergebnis", "valeur", "valor"});

std::size_t only_one_of(const std::vector<std::string>& names, std::span<const std::string_view> words) {
  std::size_t found = names.size();
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string name = names[i].substr(0, names[i].find_first_of("[( "));
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (std::ranges::find(words, name) == words.end()) continue;
    if (found < names.size()) return names.size();
    found = i;
  }
  return found;
}

}  // namespace

void guess_long_format(const std::filesystem::path& file, TableOptions& options) {
  const bool can_be_read_again = std::filesystem::is_regular_file(file);
  if (!can_be_read_again || file.extension() == ".npz" || !options.variable_column.empty()) return;
  CsvReader reader(file);
  CellReader cells(options);
  CsvRecord record;
  if (!reader.next(record)) return;
  std::vector<std::string> names(record.fields.begin(), record.fields.end());
  cells.separated_by(reader.separator());
  rename_columns(names, options, {file.string(), "header"});
  const std::size_t variable = only_one_of(names, kVariables), value = only_one_of(names, kValues);
  if (variable == names.size() || value == names.size()) return;
  while (reader.next(record)) {
    if (record.fields.size() != names.size()) return;
    if (cells.read(record.fields[variable]).kind != CellKind::text) return;
  }
  options.variable_column = names[variable];
  options.value_column = names[value];
}

}  // namespace greybox
