#include "verdict_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "terminal.hpp"

namespace greybox::apps {
namespace {

// In order of appearance.
template <class F>
std::vector<std::string> distinct(const std::vector<Verdict>& verdicts, F&& name) {
  std::vector<std::string> names;
  for (const Verdict& verdict : verdicts)
    if (verdict.finding != Finding::disagree &&
        std::find(names.begin(), names.end(), name(verdict)) == names.end())
      names.push_back(name(verdict));
  return names;
}

std::string finding(const Verdicts& verdicts, const std::string& parameter, const std::string& regularizer) {
  for (const Verdict& verdict : verdicts.verdicts)
    if (verdict.parameter == parameter && verdict.regularizer == regularizer)
      return std::string(name_of(verdict.finding));
  return "";
}

// Rows of a name and their cells, each column as wide as its longest.
using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const std::vector<std::string>& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], n_characters(row[k]));
  return widths;
}

Rows turned(const Rows& rows) {
  Rows columns(rows[0].size());
  for (const std::vector<std::string>& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
  return columns;
}

// Regularizers beside each other; below each other where the terminal is too narrow.
void print_table(const Verdicts& verdicts) {
  const auto parameters = distinct(verdicts.verdicts, [](const Verdict& v) { return v.parameter; });
  const auto regularizers = distinct(verdicts.verdicts, [](const Verdict& v) { return v.regularizer; });
  Rows rows{{""}};
  rows[0].insert(rows[0].end(), regularizers.begin(), regularizers.end());
  for (const std::string& parameter : parameters) {
    rows.push_back({parameter});
    for (const std::string& name : regularizers) rows.back().push_back(finding(verdicts, parameter, name));
  }
  std::vector<std::size_t> widths = widths_of(rows);
  const std::size_t width = std::accumulate(widths.begin(), widths.end(), 2 * widths.size());
  if (is_terminal(Stream::out) && width > width_of(Stream::out)) {
    rows = turned(rows);
    widths = widths_of(rows);
  }
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k)
      line += "  " + row[k] + std::string(widths[k] - n_characters(row[k]), ' ');
    fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  }
}

}  // namespace

void print_verdicts(const Verdicts& verdicts) {
  for (const std::string& sentence : verdicts.summary) fmt::print("{}", prose(sentence, 2));
  if (!verdicts.summary.empty()) fmt::print("\n");
  print_table(verdicts);
  fmt::print("\n");
  for (const Verdict& verdict : verdicts.verdicts) fmt::print("{}", prose(verdict.sentence, 2));
  for (const FlatCombination& combination : verdicts.combinations)
    fmt::print("{}", prose(combination.sentence, 2));
}

}  // namespace greybox::apps
