#include "data/missing_guess.hpp"

#include <algorithm>
#include <map>

#include "data/csv_cells.hpp"
#include "data/csv_reader.hpp"

namespace greybox {
namespace {

// Other words of a column are a mistake to be told of, not a code.
constexpr std::size_t kMostWords = 3;
// Where a substance is used up, most of its values may be below what can be detected.
constexpr std::size_t kMostWordsPerNumber = 4;

struct WordCount {
  std::size_t n_numbers = 0, n_words = 0;
  std::map<std::string, std::size_t> words;
};

bool are_codes(const WordCount& count) {
  return count.n_words > 0 && count.n_words < kMostWordsPerNumber * count.n_numbers &&
         count.words.size() <= kMostWords;
}

void count_cell(CellReader& cells, std::string_view text, WordCount& count) {
  const CellKind kind = cells.read(text).kind;
  if (kind == CellKind::number) ++count.n_numbers;
  // A decimal comma is a mistake of its own.
  const bool is_word = kind == CellKind::text && text.find_first_of("0123456789") == std::string_view::npos;
  if (!is_word) return;
  ++count.n_words;
  if (count.words.size() <= kMostWords) ++count.words[std::string(text)];
}

}  // namespace

std::vector<std::string> guessed_missing_words(const std::filesystem::path& file,
                                               const TableOptions& options) {
  const bool can_be_read_again = std::filesystem::is_regular_file(file);
  if (!can_be_read_again || file.extension() == ".npz" || !options.variable_column.empty()) return {};
  CsvReader reader(file);
  CellReader cells(options);
  CsvRecord record;
  if (!reader.next(record)) return {};
  cells.separated_by(reader.separator());
  std::vector<WordCount> counts(record.fields.size());
  while (reader.next(record))
    for (std::size_t i = 0; i < counts.size() && i < record.fields.size(); ++i)
      count_cell(cells, record.fields[i], counts[i]);
  std::vector<std::string> found;
  for (const WordCount& count : counts)
    if (are_codes(count))
      for (const auto& [word, n] : count.words)
        if (std::ranges::find(found, word) == found.end()) found.push_back(word);
  return found;
}

}  // namespace greybox
