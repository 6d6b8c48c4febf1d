#include "model/column_profile.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/windows.hpp"
#include "language/lexer_characters.hpp"
#include "model/data_report.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostSettings = 6, kLeastRows = 15, kLongestWindow = 41;

// Letters, digits and _ of a name, without a unit in brackets.
std::string identifier_from(const std::string& name, const std::vector<std::string>& taken) {
  std::string made;
  for (const char c : name.substr(0, name.find_first_of("[(")))
    made += (c >= '0' && c <= '9') || begins_name(static_cast<unsigned char>(c)) ? c : '_';
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
  return n > 0 ? sum / n / (profile.sd * profile.sd) : 0;
}

std::size_t memory_of(const Column& column, const DataTable& table, const ColumnProfile& profile,
                      std::size_t longest) {
  std::size_t lag = 1;
  while (lag < longest && autocorrelation(column, table, profile, lag) > std::exp(-1)) ++lag;
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
  // Windows start every half of their length: a fifth must hold one wherever it begins.
  const std::size_t most =
      profile.splits_series ? (2 * (profile.n_shortest / 5) + 3) / 3 : profile.n_shortest;
  if (profile.n_shortest < kLeastRows || most < 3) {
    profile.splits_series = false;
    return;
  }
  profile.window = std::clamp<std::size_t>(2 * memory + 1, 3, std::min(kLongestWindow, most));
  profile.stride = std::max<std::size_t>(1, (profile.window - 1) / 2);
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
  for (const Column& column : table.columns) {
    if (column.is_field()) continue;
    ColumnProfile one{.file_name = column.name, .name = identifier_from(column.name, used)};
    used.push_back(one.name);
    measure(column, table.n_rows(), one);
    if (!one.is_constant)
      one.memory = memory_of(column, table, one, std::max<std::size_t>(2, profile.n_shortest / 2));
    profile.columns.push_back(std::move(one));
  }
  propose_window(profile);
  return profile;
}

}  // namespace greybox
