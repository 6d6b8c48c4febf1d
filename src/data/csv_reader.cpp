// Records and fields; a line without quotes takes the short way.
#include "data/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/mistakes.hpp"
#include "data/number.hpp"

namespace greybox {
namespace {

// Follows quotes through a record piece by piece, since a quoted field may go on in the next line.
class QuoteState {
 public:
  explicit QuoteState(std::string_view separators) : separators_(separators) {}

  bool is_open() const { return where_ == Where::quoted; }
  bool is_outside(char c) const { return !is_open() && separators_.find(c) != std::string_view::npos; }

  void feed(char c) {
    if (where_ == Where::quoted) {
      if (c == '"') where_ = Where::after_quote;
    } else if (c == '"' && where_ != Where::plain) {
      where_ = Where::quoted;  // opens a field, or the second half of a doubled quote
    } else if (separators_.find(c) != std::string_view::npos) {
      where_ = Where::start;
    } else if (where_ != Where::start || (c != ' ' && c != '\t')) {
      where_ = Where::plain;
    }
  }

 private:
  enum class Where { start, plain, quoted, after_quote };
  std::string_view separators_;
  Where where_ = Where::start;
};

bool has_quote(std::string_view text) {
  return text.find('"') != std::string_view::npos;
}

}  // namespace

bool CsvReader::next(CsvRecord& record) {
  auto line = lines_.next();
  while (line && is_skipped(*line)) line = lines_.next();
  if (!line) return false;
  const bool is_quoted = has_quote(*line);
  const std::string_view text = is_quoted ? whole_record(*line) : *line;
  if (!is_quoted && text.find('\r') != std::string_view::npos) {
    refuse("a carriage return inside a line", "save the file again with line ends LF or CRLF");
  }
  if (separators_.size() > 1) choose_separator(text);
  record.line = lines_.line_number();
  record.fields.clear();
  is_quoted ? split_quoted(text, record) : split(text, record);
  return true;
}

bool CsvReader::is_skipped(std::string_view line) const {
  const std::size_t first = line.find_first_not_of(separators_ == "\t" ? " " : " \t");
  if (first == std::string_view::npos) return true;
  // `#N/A` is what spreadsheets write into a cell without a value.
  return line[first] == '#' && !line.substr(first).starts_with("#N/A");
}

// The record that starts with `line`, lengthened as long as a quote is open.
std::string_view CsvReader::whole_record(std::string_view line) {
  QuoteState quotes(separators_);
  std::size_t seen = 0;
  while (true) {
    for (; seen < line.size(); ++seen) quotes.feed(line[seen]);
    if (!quotes.is_open()) return line;
    const auto longer = lines_.extend();
    if (!longer) refuse_open_quote();
    line = *longer;
  }
}

void CsvReader::choose_separator(std::string_view record) {
  std::vector<std::pair<std::size_t, char>> counts;
  for (const char candidate : separators_) {
    QuoteState quotes(separators_);
    std::size_t count = 0;
    for (const char c : record) {
      count += c == candidate && quotes.is_outside(c) ? 1 : 0;
      quotes.feed(c);
    }
    counts.emplace_back(count, candidate);
  }
  std::stable_sort(counts.begin(), counts.end(), [](auto a, auto b) { return a.first > b.first; });
  if (counts[0].first > 0 && counts[0].first == counts[1].first) {
    refuse(fmt::format("cannot tell what separates the columns: the header has as many {} as {}",
                       in_backquotes({&counts[0].second, 1}), in_backquotes({&counts[1].second, 1})),
           "put names that contain separators into quotes \"…\"");
  }
  separators_ = counts[0].second;
}

void CsvReader::split(std::string_view record, CsvRecord& into) const {
  const char separator = separators_.front();
  for (std::size_t end = record.find(separator); end != std::string_view::npos;
       end = record.find(separator)) {
    into.fields.push_back(trimmed(record.substr(0, end)));
    record.remove_prefix(end + 1);
  }
  into.fields.push_back(trimmed(record));
}

void CsvReader::split_quoted(std::string_view record, CsvRecord& into) {
  const char separator = separators_.front();
  unescaped_.clear();
  unescaped_.reserve(record.size());  // fields point into it: it must not move
  while (true) {
    const std::size_t first = record.find_first_not_of(separator == '\t' ? " " : " \t");
    if (first != std::string_view::npos && record[first] == '"') {
      record.remove_prefix(first + 1);
      into.fields.push_back(trimmed(take_quoted(record)));
    } else {
      const std::size_t end = std::min(record.find(separator), record.size());
      into.fields.push_back(trimmed(record.substr(0, end)));
      record.remove_prefix(end);
    }
    if (record.empty()) return;
    record.remove_prefix(1);
  }
}

// Takes a field of which the opening quote is gone off `rest`, which is then empty or starts with a
// separator.
std::string_view CsvReader::take_quoted(std::string_view& rest) {
  const std::size_t begin = unescaped_.size();
  std::size_t end = rest.find('"');
  for (; end < rest.size() && rest.substr(end).starts_with("\"\""); end = rest.find('"')) {
    unescaped_ += rest.substr(0, end + 1);
    rest.remove_prefix(end + 2);
  }
  if (end == std::string_view::npos) refuse_open_quote();
  unescaped_ += rest.substr(0, end);
  rest.remove_prefix(end + 1);
  while (!rest.empty() && rest[0] != separators_.front() && (rest[0] == ' ' || rest[0] == '\t'))
    rest.remove_prefix(1);
  if (!rest.empty() && rest[0] != separators_.front()) {
    refuse(fmt::format("text after a closing quote: {}", in_backquotes(rest)),
           "write \"\" for a quote inside a quoted field");
  }
  return std::string_view(unescaped_).substr(begin);
}

void CsvReader::refuse_open_quote() const {
  refuse("a quote \" that is never closed", "close it, or write \"\" for a quote inside a quoted field");
}

void CsvReader::refuse(std::string message, std::string help) const {
  Place{lines_.file(), fmt::format("row {}", lines_.line_number())}.refuse(std::move(message),
                                                                           std::move(help));
}

}  // namespace greybox
