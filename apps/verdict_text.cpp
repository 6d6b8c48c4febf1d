#include "verdict_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string_view>

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

// Why a parameter is not judged: what its sentence says after parameter and regularizer.
std::string reason_of(const Verdict& verdict) {
  constexpr std::string_view kDash = " — ";
  const std::size_t at = verdict.sentence.find(kDash);
  return at == std::string::npos ? verdict.sentence : verdict.sentence.substr(at + kDash.size());
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

// Each sentence; what is not judged for the same reason, once.
std::vector<std::string> sentences_of(const std::vector<Verdict>& verdicts) {
  std::vector<std::string> sentences, reasons;
  for (const Verdict& verdict : verdicts) {
    if (verdict.finding != Finding::not_judged) {
      sentences.push_back(verdict.sentence);
      continue;
    }
    const std::string reason = reason_of(verdict);
    if (std::find(reasons.begin(), reasons.end(), reason) != reasons.end()) continue;
    reasons.push_back(reason);
    std::vector<Verdict> alike;
    for (const Verdict& one : verdicts)
      if (one.finding == Finding::not_judged && reason_of(one) == reason) alike.push_back(one);
    sentences.push_back(fmt::format(
        "{}: not judged under {} — {}",
        fmt::join(distinct(alike, [](const Verdict& v) { return v.parameter; }), ", "),
        fmt::join(distinct(alike, [](const Verdict& v) { return v.regularizer; }), ", "), reason));
  }
  return sentences;
}

}  // namespace

void print_verdicts(const Verdicts& verdicts) {
  for (const std::string& sentence : verdicts.summary) fmt::print("{}", prose(sentence, 2));
  if (!verdicts.summary.empty()) fmt::print("\n");
  print_table(verdicts);
  fmt::print("\n");
  for (const std::string& sentence : sentences_of(verdicts.verdicts)) fmt::print("{}", prose(sentence, 2));
  for (const FlatCombination& combination : verdicts.combinations)
    fmt::print("{}", prose(combination.sentence, 2));
}

}  // namespace greybox::apps
