// Writes a first model file for a table.
#include "greybox/new_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"
#include "data/date.hpp"
#include "data/long_guess.hpp"
#include "data/missing_guess.hpp"
#include "data/npz_table.hpp"
#include "data/series_guess.hpp"
#include "data/time_guess.hpp"
#include "model/data_report.hpp"
#include "model/model_draft.hpp"
#include "model/model_writer.hpp"
#include "model/template_table.hpp"

namespace greybox {
namespace {

constexpr auto kSamplingTimes = std::to_array<std::string_view>(
    {"ts", "dt", "h", "step", "time_step", "timestep", "sampling_time", "sample_time", "interval"});

bool is_sampling_time(const std::string& name) {
  return std::ranges::find(kSamplingTimes, in_small_letters(name)) != kSamplingTimes.end();
}

// In which rates are neither large nor small; `step` is in days.
std::string unit_for(double step) {
  constexpr double hour = 1.0 / 24, minute = hour / 60;
  if (step > 10 * hour) return "days";
  return step > minute ? "hours" : "seconds";
}

// What acts from outside by its name: no state of what is modelled.
constexpr auto kSurroundings = std::to_array<std::string_view>(
    {"ambient", "amb", "outdoor", "outside", "weather", "light", "irradiance", "par", "radiation", "solar",
     "rain", "rainfall", "precipitation", "wind", "humidity", "sst", "setpoint"});

void mark_surroundings(TableProfile& profile) {
  const auto is_outside = [](const ColumnProfile& column) {
    const std::string name = '_' + in_small_letters(column.name) + '_';
    return std::ranges::any_of(kSurroundings, [&](std::string_view word) {
      return name.find('_' + std::string(word) + '_') != std::string::npos;
    });
  };
  const auto is_measured = [&](const ColumnProfile& column) {
    return !column.is_constant && !column.is_setting && !is_outside(column);
  };
  if (std::ranges::none_of(profile.columns, is_measured)) return;
  for (ColumnProfile& column : profile.columns)
    if (is_outside(column) && !column.is_field()) column.is_setting = true;
}

// Columns that the caller knows to be inputs.
void mark_inputs(TableProfile& profile, const std::vector<std::string>& inputs, const std::string& file) {
  for (const std::string& input : inputs) {
    const auto found = std::ranges::find_if(profile.columns, [&](const ColumnProfile& column) {
      return column.name == input || column.file_name == input;
    });
    if (found != profile.columns.end()) {
      found->is_setting = true;
      continue;
    }
    // Several at once, separated by commas; a name may have one itself.
    if (const std::size_t comma = input.find(','); comma != std::string::npos) {
      mark_inputs(profile, {input.substr(0, comma), input.substr(comma + 1)}, file);
      continue;
    }
    std::vector<std::string> names;
    for (const ColumnProfile& column : profile.columns) names.push_back(column.file_name);
    const auto near = nearest_name(input, names);
    refuse_option("inputs", fmt::format("`{}` has no column `{}`", file, input),
                  near ? fmt::format("did you mean `{}`?", *near)
                       : fmt::format("its columns are {}", fmt::join(names, ", ")));
  }
}

// What the file says that no equation can have.
void note_what_is_left(const std::vector<std::string>& words, const DataTable& table,
                       const TableProfile& profile, ModelDraft& draft) {
  for (const std::string& name : words)
    draft.notes.push_back(fmt::format("`{}` holds words, and is left out", name));
  if (!table.time_name.empty()) return;
  for (const ColumnProfile& column : profile.columns)
    if (column.is_constant && is_sampling_time(column.name))
      draft.notes.push_back(
          fmt::format("no column is the time, and `{}` is {:g}: if rows are so far apart, rates per row are "
                      "{:g} times those per unit of time",
                      column.name, column.mean, column.mean));
}

// Where there are doses, a row of a dose and one of a measurement may have the same time.
DataTable read_table_with_doses(const std::filesystem::path& data, TableOptions& options) {
  options.may_repeat_times = true;
  DataTable table = read_table(data, options);
  options.may_repeat_times = profile_of(table, {}).has_doses();
  return options.may_repeat_times ? std::move(table) : read_table(data, options);
}

}  // namespace

std::vector<ModelTemplate> model_templates() {
  std::vector<ModelTemplate> templates;
  for (const TheoryTemplate& one : theory_templates())
    templates.push_back({std::string(one.name), std::string(one.about)});
  templates.push_back({std::string(kArrhenius), "how a rate depends on temperature"});
  return templates;
}

std::string new_model(const std::filesystem::path& data, const NewModelOptions& options) {
  NewModelOptions chosen = options;
  if (chosen.data_name.empty()) chosen.data_name = data.filename().string();
  chosen.table.needs_time = options.template_name != kArrhenius;
  guess_long_format(data, chosen.table);
  if (chosen.table.time_column.empty() && chosen.table.needs_time)
    chosen.table.time_column = guessed_time_column(data, chosen.table);
  const bool is_time_guessed = chosen.table.time_column != options.table.time_column;
  if (chosen.table.series_column.empty())
    chosen.table.series_column = guessed_series_column(data, chosen.table);
  WordGuess words = guess_words(data, chosen.table);
  if (!words.columns_of_words.empty()) chosen.table.columns_read = words.columns_of_numbers;
  for (std::string& word : words.missing_words) chosen.table.missing_words.push_back(std::move(word));
  DataTable table = read_table_with_doses(data, chosen.table);
  // What is measured in milliseconds has velocities per second.
  const bool is_finer = seconds_of(unit_in_name(table.time_name)).value_or(1) < 1;
  if ((table.has_dates || is_finer) && chosen.table.time_unit.empty()) {
    chosen.table.time_unit = table.has_dates ? unit_for(time_summary(table).median_step) : "seconds";
    table = read_table(data, chosen.table);
  }
  for (const Column& column : table.columns) {
    const auto sentinel = column.is_field() ? std::nullopt : find_sentinel(column);
    if (!sentinel) continue;
    const std::string word = fmt::format("{:g}", sentinel->value);
    if (std::ranges::find(chosen.table.missing_words, word) == chosen.table.missing_words.end())
      chosen.table.missing_words.push_back(word);
  }
  if (chosen.table.missing_words.size() > options.table.missing_words.size())
    table = read_table(data, chosen.table);
  TableProfile profile = profile_of(table, taken_names(options.template_name));
  mark_surroundings(profile);
  mark_inputs(profile, options.inputs, table.file);
  const WindowProposal windows =
      profile.has_doses() ? propose_whole_series(table, profile) : propose_windows(table, profile);
  ModelDraft draft = draft_model(options.template_name, profile, windows, table.file);
  if (draft.has_grid()) place_on_grid(table, read_npz_axes(data, chosen.table), draft);
  if (is_time_guessed)
    draft.notes.push_back(fmt::format(
        "no column has a usual name of times, and `{}` rises throughout: it is taken for the time",
        table.time_name));
  note_what_is_left(words.columns_of_words, table, profile, draft);
  return write_model(draft, table, profile, windows, chosen);
}

}  // namespace greybox
