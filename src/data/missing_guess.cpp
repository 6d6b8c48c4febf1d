#include "data/missing_guess.hpp"

#include <algorithm>
#include <map>

#include "data/cell_advice.hpp"
#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"
#include "data/date.hpp"
#include "data/time_column.hpp"

namespace greybox {
namespace {

// Other words of a column are a mistake to be told of, not a code.
constexpr std::size_t kMostWords = 3;
// Where a substance is used up, most of its values may be below what can be detected.
constexpr std::size_t kMostWordsPerNumber = 4;

struct WordCount {
  std::size_t n_numbers = 0, n_words = 0;
  // Neither a number, nor what somebody may have meant for one, nor a date.
  std::size_t n_remarks = 0, n_others = 0;
  std::map<std::string, std::size_t> words;
};

bool are_codes(const WordCount& count) {
  return count.n_words > 0 && count.n_words < kMostWordsPerNumber * count.n_numbers &&
         count.words.size() <= kMostWords;
}

void count_cell(CellReader& cells, std::string_view text, WordCount& count) {
  const CellKind kind = cells.read(text).kind;
  if (kind == CellKind::number) ++count.n_numbers;
  if (kind != CellKind::missing)
    ++(kind == CellKind::text && !advice_for_number(text) && !parse_date(text) ? count.n_remarks
                                                                               : count.n_others);
  // A decimal comma is a mistake of its own.
  const bool is_word = kind == CellKind::text && text.find_first_of("0123456789") == std::string_view::npos;
  if (!is_word) return;
  ++count.n_words;
  if (count.words.size() <= kMostWords) ++count.words[std::string(text)];
}

}  // namespace

WordGuess guess_words(const std::filesystem::path& file, const TableOptions& options) {
  const bool can_be_read_again = std::filesystem::is_regular_file(file);
  if (!can_be_read_again || file.extension() == ".npz" || !options.variable_column.empty()) return {};
  CsvReader reader(file);
  CellReader cells(options);
  CsvRecord record;
  if (!reader.next(record)) return {};
  cells.separated_by(reader.separator());
  std::vector<std::string> names(record.fields.begin(), record.fields.end());
  rename_columns(names, options, {file.string(), "header"});
  std::vector<WordCount> counts(names.size());
  while (reader.next(record))
    for (std::size_t i = 0; i < counts.size() && i < record.fields.size(); ++i)
      count_cell(cells, record.fields[i], counts[i]);
  const ColumnRoles roles = find_roles(names, options, {file.string(), "header"});
  WordGuess found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (are_codes(counts[i]))
      for (const auto& [word, n] : counts[i].words)
        if (std::ranges::find(found.missing_words, word) == found.missing_words.end())
          found.missing_words.push_back(word);
    const bool is_of_words = counts[i].n_remarks > 0 && counts[i].n_others == 0;
    if (i == roles.time || i == roles.series) continue;
    (is_of_words ? found.columns_of_words : found.columns_of_numbers).push_back(names[i]);
  }
  return found;
}

std::vector<std::string> columns_left_out(const DataTable& table, const TableOptions& options) {
  const std::filesystem::path file = table.file;
  const bool has_header = table.is_file && std::filesystem::is_regular_file(file) &&
                          file.extension() != ".npz" && options.variable_column.empty();
  if (!has_header) return {};
  CsvReader reader(file);
  CsvRecord record;
  if (!reader.next(record)) return {};
  std::vector<std::string> names(record.fields.begin(), record.fields.end());
  rename_columns(names, options, {file.string(), "header"});
  const ColumnRoles roles = find_roles(names, options, {file.string(), "header"});
  std::vector<std::string> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (i != roles.time && i != roles.series && !names[i].empty() && table.find(names[i]) == nullptr)
      found.push_back(names[i]);
  return found;
}

}  // namespace greybox
