#include "model/column_profile.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/limits.hpp"
#include "data/windows.hpp"
#include "language/lexer_characters.hpp"
#include "model/data_report.hpp"

namespace greybox {
namespace {

constexpr double kLargeJump = 0.25;  // in standard deviations
constexpr std::size_t kLeastSteps = 24;
constexpr std::size_t kMostSettings = 6, kLeastRows = 15, kShortestWindow = 6, kLongestWindow = 25;

// Letters, digits and _ of a name, without a unit in brackets.
std::string identifier_from(const std::string& name, const std::vector<std::string>& taken) {
  std::string made;
  const std::string whole = name.substr(0, name.find_first_of("[("));
  for (std::size_t at = 0; at < whole.size();) {
    const Character c = decode_character(whole, at);
    const bool fits = c.code != Character::invalid && continues_name(c.code);
    if (fits || !made.ends_with('_')) made += fits ? whole.substr(at, c.n_bytes) : "_";
    at += c.n_bytes;
  }
  while (made.ends_with('_')) made.pop_back();
  if (is_identifier(name)) made = name;
  if (!is_identifier(made)) made = "column_" + made;
  while (std::ranges::find(taken, made) != taken.end()) made += "_data";
  return made;
}

void measure(const Column& column, std::size_t n_rows, ColumnProfile& profile) {
  std::set<double> distinct;
  double sum = 0, squares = 0, n = 0;
  profile.low = INFINITY;
  profile.high = -INFINITY;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double value = column.at(row);
    if (std::isnan(value)) continue;
    profile.low = std::min(profile.low, value);
    profile.high = std::max(profile.high, value);
    if (distinct.size() <= kMostSettings) distinct.insert(value);
    sum += value;
    squares += value * value;
    ++n;
  }
  profile.mean = n > 0 ? sum / n : 0;
  profile.sd = n > 0 ? std::sqrt(std::max(0.0, squares / n - profile.mean * profile.mean)) : 0;
  profile.n_missing = count_missing(column);
  profile.is_constant = distinct.size() < 2;
  profile.is_setting = distinct.size() <= kMostSettings && n_rows > 4 * kMostSettings;
}

// A signal that is held: most rows repeat the one before, and jumps are large. A coarse sensor repeats too,
// but goes from one value to the next.
void find_steps(const Column& column, const DataTable& table, ColumnProfile& profile) {
  std::vector<double> jumps;
  std::size_t n_steps = 0;
  for (const Series& series : table.series)
    for (std::size_t i = 1; i < series.n_rows; ++i) {
      const double jump = std::abs(column.at(series.first_row + i) - column.at(series.first_row + i - 1));
      if (std::isnan(jump)) continue;
      ++n_steps;
      if (jump > 0) jumps.push_back(jump);
    }
  // A property of each series: its dose, its size.
  if (jumps.empty() && table.series.size() > 1 && n_steps > 0) profile.is_setting = true;
  profile.is_stepped = !jumps.empty() && 3 * jumps.size() <= n_steps;
  if (!profile.is_stepped || n_steps < kLeastSteps) return;
  const auto middle = jumps.begin() + static_cast<std::ptrdiff_t>(jumps.size() / 2);
  std::ranges::nth_element(jumps, middle);
  profile.is_setting = profile.is_setting || *middle > kLargeJump * profile.sd;
}

double autocorrelation(const Column& column, const DataTable& table, const ColumnProfile& profile,
                       std::size_t lag) {
  double sum = 0, n = 0;
  for (const Series& series : table.series)
    for (std::size_t i = lag; i < series.n_rows; ++i) {
      const double product = (column.at(series.first_row + i) - profile.mean) *
                             (column.at(series.first_row + i - lag) - profile.mean);
      if (std::isnan(product)) continue;
      sum += product;
      ++n;
    }
  return n > 0 ? sum / n / (profile.sd * profile.sd) : kNaN;
}

std::size_t memory_of(const Column& column, const DataTable& table, const ColumnProfile& profile,
                      std::size_t longest) {
  std::size_t lag = 1;
  // Lags at which values never meet, as of a sensor that is read every other row, do not count.
  while (lag < longest && !(autocorrelation(column, table, profile, lag) <= std::exp(-1))) ++lag;
  return lag;
}

// Long enough to see the data change, short enough that each fifth of a series, or each series, holds one.
void propose_window(TableProfile& profile) {
  std::vector<std::size_t> memories;
  for (const ColumnProfile& column : profile.columns)
    if (!column.is_constant && !column.is_setting) memories.push_back(column.memory);
  std::ranges::sort(memories);
  const std::size_t memory = memories.empty() ? 5 : memories[memories.size() / 2];
  profile.splits_series = profile.n_series < 5;
  // A fifth must hold a window wherever it begins, which is every quarter of a window.
  const std::size_t most = profile.splits_series ? (4 * (profile.n_shortest / 5)) / 5 : profile.n_shortest;
  if (profile.n_shortest < kLeastRows || most < 3) {
    profile.splits_series = false;
    return;
  }
  // Longer ones teach a network little that shorter ones do not, and run away sooner.
  profile.window =
      std::clamp<std::size_t>(memory + 1, std::min(kShortestWindow, most), std::min(kLongestWindow, most));
  profile.stride = std::max<std::size_t>(1, profile.window / 4);
}

Column middle_of(const Column& column, std::size_t n_rows) {
  std::vector<double> values;
  const std::size_t middle = (column.height / 2) * column.width + column.width / 2;
  for (std::size_t row = 0; row < n_rows; ++row) values.push_back(column.at(row, middle));
  return {.name = column.name, .values = std::move(values)};
}

}  // namespace

TableProfile profile_of(const DataTable& table, const std::vector<std::string>& taken) {
  TableProfile profile;
  profile.n_rows = table.n_rows();
  profile.n_series = table.series.size();
  profile.median_step = std::max(time_summary(table).median_step, 1e-300);
  profile.n_shortest = table.n_rows();
  for (const Series& series : table.series) profile.n_shortest = std::min(profile.n_shortest, series.n_rows);
  std::vector<std::string> used = taken;
  for (const Column& whole : table.columns) {
    const Column column = whole.is_field() ? middle_of(whole, table.n_rows()) : whole;
    ColumnProfile one{.file_name = column.name,
                      .name = identifier_from(column.name, used),
                      .height = whole.height,
                      .width = whole.width};
    used.push_back(one.name);
    measure(column, table.n_rows(), one);
    find_steps(column, table, one);
    if (!one.is_constant)
      one.memory = memory_of(column, table, one, std::max<std::size_t>(2, profile.n_shortest / 2));
    profile.columns.push_back(std::move(one));
  }
  propose_window(profile);
  return profile;
}

}  // namespace greybox
