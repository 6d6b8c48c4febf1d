// Reads [data] and [grid].
#include <fmt/format.h>

#include <cmath>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

WindowOptions read_window(Section window) {
  WindowOptions options = {.length = window.count("length"),
                           .observed = window.count("observed"),
                           .stride = window.count("stride")};
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

SplitOptions read_split(Section split) {
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
  return options;
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
  spec.file = data.text("file");
  spec.file_span = data.value_place("file");
  if (document.root()["data"]["file"].value<std::string>() == "")
    data.refuse("file", "the name of the data file is empty", "write a path");
  spec.table = {.series_column = data.text("series"), .time_column = data.text("time")};
  spec.window = read_window(data.table("window"));
  spec.split = read_split(data.table("split"));
  spec.missing = data.choice<Missing>("missing");
  spec.drop = data.equation("drop");
  spec.columns = read_columns(document);
  return spec;
}

GridSpec read_grid(TomlDocument& document) {
  Section section = top_section(document, "grid");
  GridSpec spec;
  spec.span = section.place();
  spec.is_given = spec.span.line > 0;
  const auto [dx, dy] = section.pair("spacing");
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
  spec.fields = section.names("fields");
  return spec;
}

}  // namespace greybox
