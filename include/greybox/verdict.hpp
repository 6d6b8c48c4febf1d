// Which parameters can be trusted under which regularizer, and why.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "greybox/run.hpp"

namespace greybox {

enum class Finding : std::uint8_t {
  // The sublevel set of R projects onto a narrow interval inside the prior's range.
  identifiable,
  // It projects onto so wide an interval that an estimate means little.
  flat,
  // The interval is narrow and lies at an end of the range.
  one_sided,
  // It projects onto several separate intervals.
  several_minima,
  // Networks give narrow intervals that have no value in common.
  unstable,
  // Regularizers under which the parameter is identifiable exclude each other's values.
  disagree,
  // The network did not adapt where it would matter.
  not_adapted,
  // The data alone leave a narrow interval, whatever the regularizer.
  determined,
  // The interval ends where θ begin that do not fit the data.
  cut_off,
  // The run does not fit its data, or there are too few of them.
  not_judged,
};

constexpr std::string_view name_of(Finding finding) {
  constexpr std::array<std::string_view, 10> kNames = {
      "identifiable", "flat",      "one-sided",   "several minima",
      "unstable",     "disagree",  "not adapted", "determined by the data",
      "cut off",      "not judged"};
  return kNames[static_cast<std::size_t>(finding)];
}

// R at each value of one parameter, at its lowest over all others; NaN where nothing is known. The band holds
// 90 % of the networks and resampled data, each moved so that its own lowest value is that of the run.
struct Profile {
  std::vector<double> theta, lowest, low, high;
};

struct Verdict {
  std::string parameter;
  // Several joined by ", " where they disagree.
  std::string regularizer;
  Finding finding = Finding::flat;
  std::string sentence;
  std::vector<std::string> evidence;
  // Where R is lowest.
  double best = 0;
  // Smallest interval that holds the projection of the sublevel set of R.
  std::pair<double, double> interval{};
  Profile profile{};
  // The parts of that set's projection, where R rises between them; empty where there is one.
  std::vector<std::pair<double, double>> intervals{};
  // Flat, though narrow on the windows as they are: so few leave open what others like them would say.
  bool needs_more_data = false;
};

// A combination of parameters that R determines although it leaves each of them open.
struct FlatCombination {
  std::string regularizer;
  // "a·b", "a^2·b", "a + 2·b"
  std::string text;
  // Exponents of a product, coefficients of a sum.
  std::map<std::string, double> direction;
  std::string sentence;
};

struct JudgeOptions {
  // Expressions beyond those of the model file.
  std::vector<std::string> regularizers{};
  // By default the validation windows.
  Selection on{};
  // Only so many windows, drawn by `seed`, one from each of as many equal parts of them; 0: all.
  std::size_t n_windows = 0;
  // Other data than the run's own.
  std::optional<Table> data{};
  // Parameters that are held and not judged.
  Theta held{};
  // Networks, as for landscapes.
  std::size_t seeds = 1;
  std::vector<Run> with{};
  // Resampled sets of windows per network.
  std::size_t n_resamples = 32;
  // Of the windows that are drawn, and of the resampled sets.
  std::uint64_t seed = 0;
  Execution execution{};
};

struct Verdicts {
  // What they say together: what is determined, what is not, what to do next. Empty where nothing is judged.
  std::vector<std::string> summary{};
  // By regularizer, then by parameter; disagreements at the end.
  std::vector<Verdict> verdicts;
  std::vector<FlatCombination> combinations;
  // Of the data that were judged on.
  std::string split;
  std::size_t n_windows = 0, n_networks = 1;
  std::vector<std::string> warnings;

  auto begin() const { return verdicts.begin(); }
  auto end() const { return verdicts.end(); }
};

// Which parameters each regularizer determines. Throws InputError for the user's mistakes, Interruption when
// cancelled.
Verdicts judge(const Run& run, const JudgeOptions& options = {});

std::string to_json(const Verdicts& verdicts);

}  // namespace greybox
