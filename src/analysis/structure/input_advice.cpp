#include "analysis/structure/input_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace greybox {
namespace {

constexpr double kWide = 1000;
constexpr double kCentralWidth = 5.15;  // of the central 99 %, in standard deviations
constexpr std::size_t kFewSeries = 10;

// The column that an input is as it stands; null for others.
const ColumnProfile* column_of(const ModelSpec& spec, const TableProfile& profile, std::size_t input) {
  const Syntax& syntax = *spec.inputs[input].syntax;
  if (syntax.kind != SyntaxKind::name || !spec.signals[input].file.empty()) return nullptr;
  const auto found = std::ranges::find(profile.columns, syntax.text, &ColumnProfile::file_name);
  return found == profile.columns.end() ? nullptr : &*found;
}

bool reads(const ModelSpec& spec, const std::string& input) {
  return std::ranges::any_of(spec.networks, [&](const NetworkSpec& network) {
    return std::ranges::any_of(network.inputs, [&](const Equation& equation) {
      return equation.syntax->kind == SyntaxKind::name && equation.syntax->text == input;
    });
  });
}

}  // namespace

std::vector<std::string> wide_priors(const ModelSpec& spec) {
  std::vector<std::string> found;
  for (const ParameterSpec& one : spec.parameters) {
    if (one.prior != PriorKind::uniform || !(one.low > 0) || one.high < kWide * one.low) continue;
    found.push_back(fmt::format(
        "the prior of `{}` spans {:.0f} orders of magnitude and is uniform, so that nine tenths of it lie in "
        "the highest: prior = \"lognormal\", mean = \"log({:.2g})\", sd = {:.2g} covers the same range",
        one.name, std::log10(one.high / one.low), std::sqrt(one.low * one.high),
        std::log(one.high / one.low) / kCentralWidth));
  }
  return found;
}

std::vector<std::string> crowded_parameters(const ModelSpec& spec) {
  std::vector<std::string> found;
  for (const ParameterSpec& one : spec.parameters)
    if (one.prior == PriorKind::lognormal && kCentralWidth * one.sd > std::log(kWide) &&
        reads(spec, one.name))
      found.push_back(fmt::format(
          "a network reads `{0}`, whose prior spans {1:.1f} orders of magnitude: write log({0}) among its "
          "inputs, in which they are spread evenly",
          one.name, kCentralWidth * one.sd / std::log(10.0)));
  return found;
}

std::vector<std::string> ramps_of_steps(const ModelSpec& spec, const TableProfile& profile) {
  std::vector<std::string> found;
  for (std::size_t j = 0; j < spec.inputs.size(); ++j) {
    const ColumnProfile* column = column_of(spec, profile, j);
    const bool is_ramp = spec.signals[j].hold == Hold::linear;
    if (column == nullptr || !is_ramp || !column->is_stepped || !column->is_setting) continue;
    found.push_back(
        fmt::format("`{0}` changes in steps, which are ramps from one row to the next here: write {0} = {{ "
                    "equation = \"{1}\", hold = \"previous\" }} in [inputs] if it is switched",
                    spec.inputs[j].name, column->file_name));
  }
  return found;
}

std::vector<std::string> series_labels(const LoadedModel& loaded, const TableProfile& profile) {
  const ModelSpec& spec = *loaded.spec;
  std::set<std::size_t> series;
  for (const std::size_t window : loaded.data->of_split(Split::train))
    series.insert(loaded.data->windows().windows[window].series);
  std::vector<std::string> found;
  if (series.size() < 2 || series.size() > kFewSeries) return found;
  for (std::size_t j = 0; j < spec.inputs.size(); ++j) {
    const ColumnProfile* column = column_of(spec, profile, j);
    if (column == nullptr || !column->is_of_series() || column->is_constant ||
        !reads(spec, spec.inputs[j].name))
      continue;
    found.push_back(fmt::format(
        "a network reads `{}`, which stays the same in a series, and learns from {} series alone: it can "
        "tell them "
        "apart by it and err on others; leave it out of the network's inputs, or combine it with what varies",
        spec.inputs[j].name, series.size()));
  }
  return found;
}

}  // namespace greybox
