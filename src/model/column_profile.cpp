#include "model/column_profile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/limits.hpp"
#include "data/windows.hpp"
#include "language/lexer_characters.hpp"
#include "model/data_report.hpp"

namespace greybox {
namespace {

constexpr double kLargeJump = 0.25;  // in standard deviations
constexpr std::size_t kLeastSteps = 24;
constexpr std::size_t kMostSettings = 6;
constexpr std::size_t kMostPairs = 200'000;  // of rows, whose products are averaged for a correlation
constexpr auto kDoseNames = std::to_array<std::string_view>(
    {"amt", "amount", "dose", "doses", "bolus", "injection", "injected", "dosis"});
constexpr auto kRowFlags = std::to_array<std::string_view>({"evid", "mdv", "cmt"});
// Of a column's largest value: below, logarithms show noise alone. Of its range: falls that are noise.
constexpr double kSmallShare = 0.02, kMostFall = 0.1;

// Names that are all different, however many of them would be the same.
class DistinctNames {
 public:
  explicit DistinctNames(const std::vector<std::string>& taken) : taken_(taken.begin(), taken.end()) {}

  // `wanted`, or that with `_data`, `_data2`, `_data3` and so on behind it.
  std::string take(std::string wanted) {
    if (taken_.insert(wanted).second) return wanted;
    wanted += "_data";
    std::size_t& last = last_numbers_[wanted];
    std::string name;
    do name = ++last == 1 ? wanted : wanted + std::to_string(last);
    while (!taken_.insert(name).second);
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> last_numbers_;
};

// Letters, digits and _ of a name, without a unit in brackets.
std::string identifier_from(const std::string& name) {
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
  return made;
}

// Of NONMEM: nothing measured and nothing that acts.
bool is_row_flag(const std::string& name) {
  return std::ranges::find(kRowFlags, in_small_letters(name)) != kRowFlags.end();
}

void measure(const Column& column, const DataTable& table, ColumnProfile& profile) {
  const std::size_t n_rows = table.n_rows();
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
  std::size_t n_lacking = 0;
  for (const Series& series : table.series) n_lacking += std::isnan(column.at(series.first_row)) ? 1 : 0;
  profile.is_missing_at_first = 2 * n_lacking > table.series.size();
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

// Amounts at instants stand in few rows, and no name of a held signal says so.
bool is_dose(const Column& column, const ColumnProfile& profile, std::size_t n_rows) {
  const std::string name = in_small_letters(profile.name);
  const bool is_called_so = std::ranges::any_of(kDoseNames, [&](std::string_view one) {
    return name == one || name.starts_with(std::string(one) + '_');
  });
  if (!is_called_so || !(profile.high > 0) || profile.low < 0) return false;
  std::size_t n_given = 0;
  for (std::size_t row = 0; row < n_rows; ++row) n_given += column.at(row) > 0 ? 1 : 0;
  return 2 * n_given < n_rows;
}

// In rows far enough apart to be more than noise.
void find_growth(const Column& column, const DataTable& table, ColumnProfile& profile) {
  const std::size_t lag = std::max<std::size_t>(1, profile.memory / 4);
  std::vector<double> rates;
  double highest = -INFINITY, fall = 0;
  for (const Series& series : table.series) {
    highest = -INFINITY;
    for (std::size_t i = 0; i < series.n_rows; ++i) {
      const double now = column.at(series.first_row + i);
      if (std::isnan(now)) continue;
      highest = std::max(highest, now);
      fall = std::max(fall, highest - now);
      if (i < lag) continue;
      const double before = column.at(series.first_row + i - lag);
      const double time = table.time[series.first_row + i] - table.time[series.first_row + i - lag];
      if (std::min(before, now) > kSmallShare * profile.high && time > 0)
        rates.push_back(std::log(now / before) / time);
    }
  }
  profile.is_cumulative = fall <= kMostFall * (profile.high - profile.low);
  if (rates.empty()) return;
  std::ranges::sort(rates);
  profile.growth = std::max(0.0, rates[rates.size() * 9 / 10]);
  profile.decay = std::max(0.0, -rates[rates.size() / 10]);
}

double slope_of(const Column& column, const DataTable& table, std::size_t memory) {
  const std::size_t lag = std::max<std::size_t>(1, memory / 10);
  double squares = 0, n = 0;
  for (const Series& series : table.series)
    for (std::size_t i = lag; i < series.n_rows; ++i) {
      const std::size_t row = series.first_row + i;
      const double rate = (column.at(row) - column.at(row - lag)) / (table.time[row] - table.time[row - lag]);
      if (!std::isfinite(rate)) continue;
      squares += rate * rate;
      ++n;
    }
  return n > 0 ? std::sqrt(squares / n) : 0;
}

// Of long tables from some of the pairs of rows.
double autocorrelation(const Column& column, const DataTable& table, const ColumnProfile& profile,
                       std::size_t lag) {
  const std::size_t every = std::max<std::size_t>(1, table.n_rows() / kMostPairs);
  double sum = 0, n = 0;
  for (const Series& series : table.series)
    for (std::size_t i = lag; i < series.n_rows; i += every) {
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
  // Lags at which values never meet, as of a sensor that is read every other row, do not count. Long ones are
  // known to a hundredth: to look at every one would take a time that goes with the square of the rows.
  while (lag < longest && !(autocorrelation(column, table, profile, lag) <= std::exp(-1)))
    lag += std::max<std::size_t>(1, lag / 100);
  return std::min(lag, longest);
}

Column middle_of(const Column& column, std::size_t n_rows) {
  std::vector<double> values;
  const std::size_t middle = (column.height / 2) * column.width + column.width / 2;
  for (std::size_t row = 0; row < n_rows; ++row) values.push_back(column.at(row, middle));
  return {.name = column.name, .values = std::move(values)};
}

}  // namespace

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

const ColumnProfile& TableProfile::column(const std::string& name) const {
  return *std::ranges::find(columns, name, &ColumnProfile::name);
}

std::vector<std::string> TableProfile::unmeasured_at_first() const {
  std::vector<std::string> names;
  for (const ColumnProfile& column : columns)
    if (column.is_missing_at_first) names.push_back(column.name);
  return names;
}

TableProfile profile_of(const DataTable& table, const std::vector<std::string>& taken) {
  TableProfile profile;
  profile.n_rows = table.n_rows();
  profile.n_series = table.series.size();
  profile.median_step = std::max(time_summary(table).median_step, 1e-300);
  profile.n_shortest = table.n_rows();
  for (const Series& series : table.series) profile.n_shortest = std::min(profile.n_shortest, series.n_rows);
  DistinctNames names(taken);
  for (const Column& whole : table.columns) {
    const Column column = whole.is_field() ? middle_of(whole, table.n_rows()) : whole;
    ColumnProfile one{.file_name = column.name,
                      .name = names.take(identifier_from(column.name)),
                      .height = whole.height,
                      .width = whole.width};
    measure(column, table, one);
    find_steps(column, table, one);
    one.is_dose = is_dose(column, one, table.n_rows());
    if (one.is_dose) {
      one.is_setting = true;
      one.is_constant = false;  // the same amount each time
    }
    if (!one.is_constant)
      one.memory = memory_of(column, table, one, std::max<std::size_t>(2, profile.n_shortest / 2));
    one.slope = slope_of(column, table, one.memory);
    find_growth(column, table, one);
    profile.columns.push_back(std::move(one));
  }
  if (profile.has_doses())
    std::erase_if(profile.columns, [](const ColumnProfile& column) { return is_row_flag(column.file_name); });
  return profile;
}

}  // namespace greybox
