#include "data/time_column.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/nearest_name.hpp"
#include "data/number.hpp"
#include "data/row_groups.hpp"

namespace greybox {
namespace {

constexpr auto kTimes = std::to_array<std::string_view>(
    {"time", "times", "timestamp", "time_stamp", "datetime", "date_time", "date", "t", "clock", "elapsed",
     "zeit", "zeitpunkt", "zeitstempel", "datum", "temps", "tiempo", "fecha", "tempo", "tijd"});
// As the last word of a longer name: `sample time`, `report_date`.
constexpr auto kLastWords =
    std::to_array<std::string_view>({"time", "timestamp", "datetime", "date", "zeit", "datum"});
constexpr auto kUnitsAsNames = std::to_array<std::string_view>(
    {"second", "seconds", "sec", "secs", "minute", "minutes", "mins", "hour", "hours", "hrs", "day", "days",
     "week", "weeks", "month", "months", "year", "years"});
constexpr auto kEndings = std::to_array<std::string_view>(
    {"_s", "_ms", "_us", "_ns", "_sec", "_secs", "_seconds", "_min", "_mins", "_minutes", "_h", "_hr", "_hrs",
     "_hours", "_d", "_days", "_weeks", "_years", "_utc"});

// Without a unit in brackets, behind a blank or comma, or as an ending; in small letters unless it is one
// letter, for `T` is a temperature.
std::string base_of(std::string_view name) {
  name = trimmed(name.substr(0, std::min(name.find_first_of("[(,/ "), name.size())));
  std::string base(name);
  if (base.size() > 1)
    for (char& c : base)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (const std::string_view ending : kEndings)
    if (base.size() > ending.size() && base.ends_with(ending))
      return base.substr(0, base.size() - ending.size());
  return base;
}

std::string last_word_of(std::string_view name) {
  name = trimmed(name.substr(0, std::min(name.find_first_of("[(,/"), name.size())));
  const std::size_t gap = name.find_last_of(" _-.");
  return gap == std::string_view::npos ? "" : base_of(name.substr(gap + 1));
}

bool is_among(std::span<const std::string_view> words, std::string_view name) {
  return std::ranges::find(words, base_of(name)) != words.end();
}

std::vector<std::size_t> with_base_in(std::span<const std::string> names,
                                      std::span<const std::string_view> words) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (is_among(words, names[i])) found.push_back(i);
  return found;
}

// Such a name may be a variable's: it is one where an equation reads it.
std::vector<std::size_t> with_last_word(std::span<const std::string> names,
                                        const std::vector<std::string>& columns_read) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::find(kLastWords, last_word_of(names[i])) != kLastWords.end() &&
        std::ranges::find(columns_read, names[i]) == columns_read.end())
      found.push_back(i);
  return found;
}

[[noreturn]] void refuse_several(std::span<const std::string> names, const std::vector<std::size_t>& found,
                                 const Place& place) {
  std::vector<std::string> quoted;
  for (std::size_t i : found) quoted.push_back(in_backquotes(names[i]));
  place.refuse(fmt::format("several columns could be the time: {}", fmt::join(quoted, ", ")),
               fmt::format("write `time = \"{}\"` in [data], or `time = \"none\"` to count rows",
                           names[found.front()]));
}

}  // namespace

bool is_usual_time_name(std::string_view name) {
  return is_among(kTimes, name) || is_among(kUnitsAsNames, name);
}

std::optional<std::size_t> find_time(std::span<const std::string> names, const TableOptions& options,
                                     const Place& place) {
  const bool is_chosen =
      !options.time_column.empty() &&
      (!options.may_lack_time || std::ranges::find(names, options.time_column) != names.end());
  if (is_chosen && options.time_column == kNoTime && std::ranges::find(names, kNoTime) == names.end())
    return std::nullopt;
  const auto exact = find_role(names, is_chosen ? options.time_column : "", "time", place);
  if (exact || is_chosen || !options.needs_time) return exact;
  std::vector<std::size_t> found = with_base_in(names, kTimes);
  if (found.empty()) found = with_base_in(names, kUnitsAsNames);
  if (found.empty()) found = with_last_word(names, options.columns_read);
  std::erase_if(found, [&](std::size_t i) { return names[i] == options.series_column; });
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) refuse_several(names, found, place);
  const std::string& name = names[found.front()];
  if (name != "t" && std::ranges::find(options.columns_read, name) != options.columns_read.end())
    place.refuse(
        fmt::format("column {} looks like the time, and an equation reads it as a variable",
                    in_backquotes(name)),
        fmt::format(
            "write `time = \"{}\"` in [data] if it is the time, which equations call `clock`; or `time = "
            "\"none\"` to count rows",
            name));
  return found.front();
}

ColumnRoles find_roles(std::span<const std::string> names, const TableOptions& options, const Place& place) {
  const ColumnRoles roles{
      .series = find_role(names, options.series_column, "series", place, options.may_lack_series),
      .time = find_time(names, options, place)};
  if (roles.time && roles.time == roles.series)
    place.refuse(fmt::format("column {} cannot be both time and series", in_backquotes(names[*roles.time])),
                 "name two different columns");
  return roles;
}

ColumnRoles column_roles(std::span<const std::string> columns, const TableOptions& options,
                         const std::string& name) {
  return find_roles(columns, options, {name, ""});
}

void rename_columns(std::vector<std::string>& names, const TableOptions& options, const Place& place) {
  const std::vector<std::string> of_file = names;
  for (const auto& [name, old] : options.renamed) {
    const auto found = std::ranges::find(of_file, old);
    if (found == of_file.end() && options.may_lack_renamed) continue;
    if (found == of_file.end()) {
      const auto nearest = nearest_name(old, of_file);
      place.refuse(
          fmt::format("no column {}, which [data.rename] calls {}", in_backquotes(old), in_backquotes(name)),
          nearest ? fmt::format("did you mean {}?", in_backquotes(*nearest))
                  : fmt::format("the columns are {}", fmt::join(of_file, ", ")));
    }
    names[static_cast<std::size_t>(found - of_file.begin())] = name;
  }
}

TableOptions options_of_copy(const TableOptions& options) {
  return {.series_column = options.series_column,
          .time_column = options.time_column,
          .time_unit = options.time_unit,
          .needs_time = false,
          .may_repeat_times = options.may_repeat_times};
}

}  // namespace greybox
