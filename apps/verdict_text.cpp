#include "verdict_text.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void print_table(const Verdicts& verdicts) {
  const auto parameters = distinct(verdicts.verdicts, [](const Verdict& v) { return v.parameter; });
  const auto regularizers = distinct(verdicts.verdicts, [](const Verdict& v) { return v.regularizer; });
  std::size_t first_width = 0;
  for (const std::string& parameter : parameters) first_width = std::max(first_width, parameter.size());
  fmt::print("  {:<{}}", "", first_width);
  const auto width = [&](const std::string& regularizer) {
    std::size_t most = regularizer.size();
    for (const std::string& parameter : parameters)
      most = std::max(most, finding(verdicts, parameter, regularizer).size());
    return most;
  };
  for (const std::string& name : regularizers) fmt::print("  {:<{}}", name, width(name));
  fmt::print("\n");
  for (const std::string& parameter : parameters) {
    fmt::print("  {:<{}}", parameter, first_width);
    for (const std::string& name : regularizers)
      fmt::print("  {:<{}}", finding(verdicts, parameter, name), width(name));
    fmt::print("\n");
  }
}

}  // namespace

void print_verdicts(const Verdicts& verdicts) {
  for (const std::string& sentence : verdicts.summary) fmt::print("  {}\n", sentence);
  if (!verdicts.summary.empty()) fmt::print("\n");
  print_table(verdicts);
  fmt::print("\n");
  for (const Verdict& verdict : verdicts.verdicts) fmt::print("  {}\n", verdict.sentence);
  for (const FlatCombination& combination : verdicts.combinations) fmt::print("  {}\n", combination.sentence);
}

}  // namespace greybox::apps
