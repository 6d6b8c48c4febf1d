// Reads [data] and [grid].
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "data/date.hpp"
#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

// Of the section's key, if it is a duration.
double read_duration(Section& section, std::string_view key, DurationSpec& durations) {
  const auto seconds = section.duration(key);
  if (seconds && durations.span.line == 0) durations.span = section.value_place(key);
  return seconds.value_or(0);
}

WindowOptions read_window(Section window, DurationSpec& durations) {
  durations.length = read_duration(window, "length", durations);
  durations.stride = read_duration(window, "stride", durations);
  WindowOptions options = {.length = durations.length > 0 ? 0 : window.count("length"),
                           .observed = window.count("observed"),
                           .stride = durations.stride > 0 ? 1 : window.count("stride")};
  if (options.length > 0 && options.observed > options.length)
    window.refuse("observed",
                  fmt::format("{} snapshots are observed in windows of {}", options.observed, options.length),
                  "make `length` larger or `observed` smaller");
  return options;
}

void check_fractions(Section& split, const SplitOptions& options) {
  constexpr double rounding = 1e-9;
  const double total = options.train + options.validation + options.test;
  if (total > 1 + rounding)
    split.refuse_key("train", fmt::format("the fractions of the split add up to {:.6g}", total),
                     "train + validation + test must be at most 1");
  else if (options.train <= rounding)
    split.refuse_key("train", "nothing is left to train on", "make the fraction `train` larger than 0");
}

SplitOptions read_split(Section split, DurationSpec& durations) {
  SplitOptions options = {.validation = split.number("validation"),
                          .test = split.number("test"),
                          .by = split.choice<SplitBy>("by"),
                          .held_out = split.names("held_out"),
                          .seed = split.count("seed"),
                          .shuffle = split.flag("shuffle")};
  const double rest = std::max(0.0, 1 - options.validation - options.test);
  const double train = split.number("train");
  options.train = std::isnan(train) ? rest : train;
  check_fractions(split, options);
  durations.gap = read_duration(split, "gap", durations);
  options.gap = durations.gap > 0 ? 0 : split.number("gap");
  if (split.has("gap") && options.by != SplitBy::time)
    split.refuse_key("gap", "a gap has no effect with this split", "write by = \"time\", or remove it");
  return options;
}

// The names of [data.rename] with the file's names for them.
std::vector<std::pair<std::string, std::string>> read_renamed(TomlDocument& document) {
  std::vector<std::pair<std::string, std::string>> renamed;
  const toml::table* table = document.root()["data"]["rename"].as_table();
  if (table == nullptr) return renamed;
  for (const Entry& entry : document.entries(*table)) {
    const auto* old = entry.value->as_string();
    if (old != nullptr)
      renamed.emplace_back(entry.name, old->get());
    else
      document.mistakes().add(entry.value_span, fmt::format("`{}` must be the name of a column", entry.name),
                              fmt::format("write it in quotes: {} = \"flow [l/min]\"", entry.name));
  }
  return renamed;
}

void read_table_options(Section& data, TomlDocument& document, TableOptions& options) {
  options.series_column = data.text("series");
  options.time_column = data.text("time");
  options.time_unit = data.text("time_unit");
  if (!options.time_unit.empty() &&
      std::ranges::find(time_units(), options.time_unit) == time_units().end()) {
    const auto seconds = seconds_of(options.time_unit);
    const auto same =
        std::ranges::find_if(time_units(), [&](const auto& unit) { return seconds_of(unit) == seconds; });
    data.refuse("time_unit", fmt::format("`time_unit` cannot be `{}`", options.time_unit),
                same != time_units().end() ? fmt::format("write \"{}\"", *same)
                : seconds
                    ? "write \"seconds\": times of a column such as `time_ms` or `time [ms]` are converted"
                    : fmt::format("it is one of {}", fmt::join(time_units(), ", ")));
    options.time_unit.clear();
  }
  options.missing_words = data.names("missing_words");
  options.renamed = read_renamed(document);
  if (!data.has("long")) return;
  Section columns = data.table("long");
  options.variable_column = columns.text("variable");
  options.value_column = columns.text("value");
}

std::vector<Equation> read_columns(TomlDocument& document) {
  const toml::table* columns = document.root()["data"]["columns"].as_table();
  std::vector<Equation> equations;
  if (columns == nullptr) return equations;
  for (const Entry& entry : document.entries(*columns)) equations.push_back(document.equation(entry));
  return equations;
}

}  // namespace

DataSpec read_data(TomlDocument& document) {
  Section data = top_section(document, "data");
  DataSpec spec;
  spec.span = data.place();
  spec.files = data.text_or_names("file");
  spec.file_span = data.value_place("file");
  if (document.root()["data"]["file"].value<std::string>() == "" ||
      std::ranges::find(spec.files, "") != spec.files.end())
    data.refuse("file", "the name of the data file is empty", "write a path");
  read_table_options(data, document, spec.table);
  spec.window = read_window(data.table("window"), spec.durations);
  spec.split = read_split(data.table("split"), spec.durations);
  spec.missing = data.choice<Missing>("missing");
  spec.drop = data.equation("drop");
  spec.columns = read_columns(document);
  return spec;
}

GridSpec read_grid(TomlDocument& document, std::vector<std::string>& statics) {
  Section section = top_section(document, "grid");
  GridSpec spec;
  spec.span = section.place();
  spec.is_given = spec.span.line > 0;
  const auto [dx, dy] = section.pair("spacing");
  std::tie(spec.x0, spec.y0) = section.pair("origin");
  spec.grid = {.height = section.count("height"),
               .width = section.count("width"),
               .dx = dx,
               .dy = dy,
               .boundary = section.choice<Boundary>("boundary"),
               .outside = section.number("outside")};
  if (!spec.is_given) spec.grid = Grid{};
  if (section.has("outside") && spec.grid.boundary != Boundary::fixed)
    section.refuse_key("outside", "`outside` has no effect with this boundary",
                       "write boundary = \"fixed\", or remove it");
  if (spec.is_line())
    for (const char* key : {"spacing", "origin"})
      if (section.is_list(key))
        section.refuse(key, fmt::format("a grid of one row takes one number for `{}`", key),
                       "leave out that of y, or give [grid] a height");
  spec.fields = section.names("fields");
  statics = section.names("static");
  return spec;
}

}  // namespace greybox
