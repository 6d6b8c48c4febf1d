// Models and data made on the spot: series of different lengths and irregular times, smooth columns x, v, u,
// w, y, and fields where the model has a grid. Models with [scales] are scaled, others are not.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "model/loaded_model.hpp"
#include "model/settled_scales.hpp"
#include "model/weights.hpp"

namespace greybox::test {

inline Column made_column(const std::string& name, std::size_t height, std::size_t width, std::size_t n_rows,
                          double phase) {
  std::vector<double> values;
  for (std::size_t row = 0; row < n_rows; ++row)
    for (std::size_t p = 0; p < height * width; ++p)
      values.push_back(0.7 * std::sin(0.9 * static_cast<double>(row) + 1.3 * static_cast<double>(p) + phase) +
                       0.1);
  return {name, height, width, std::move(values)};
}

struct MadeModel {
  // One series per sample, 3 to 5 snapshots long, so that a sample is a whole series; algebraic models have
  // one row each.
  MadeModel(const std::string& text, std::size_t n_samples) {
    spec = std::make_shared<const ModelSpec>(
        parse_model_spec("[data]\nfile = \"made.csv\"\n" + window(text) + text, "made.toml"));
    DataTable table;
    table.file = "made.csv";
    for (std::size_t s = 0; s < n_samples; ++s) {
      const std::size_t length = spec->is_algebraic() ? 1 : 3 + s % 3;
      table.series.push_back({fmt::format("s{}", s), table.time.size(), length});
      for (std::size_t k = 0; k < length; ++k) {
        table.time.push_back(0.1 * static_cast<double>(s) + 0.21 * static_cast<double>(k) +
                             0.02 * static_cast<double>(k * (s % 4)));
        table.lines.push_back(0);
      }
    }
    double phase = 0;
    for (const char* name : {"x", "v", "w", "y"})
      table.columns.push_back(made_column(name, 1, 1, table.n_rows(), phase += 0.8));
    const Grid& grid = spec->grid.grid;
    const bool is_field = spec->grid.is_given;
    table.columns.push_back(
        made_column("u", is_field ? grid.height : 1, is_field ? grid.width : 1, table.n_rows(), 0.4));
    const std::vector<std::string> columns = column_names(*spec, table);
    model = bind_model(spec, &columns);
    data = std::make_shared<const PreparedData>(model, std::move(table));
    if (!spec->given_scales.empty()) {
      spec = with_scales(*spec, settle_scales(*model, *data));
      model = bind_model(spec, &columns);
    }
    plan = std::make_shared<const ExecutionPlan>(model);
  }

  // Encoders need a window of fixed size to read: its first two snapshots. Batch norm needs windows of one
  // length.
  static std::string window(const std::string& text) {
    if (text.find("\"batch\"") != std::string::npos) return "window = { length = 3, stride = 10 }\n";
    // Values given snapshot by snapshot need windows that are observed as a whole.
    if (text.find("at_snapshot") != std::string::npos)
      return "window = { length = 3, observed = 3, stride = 10 }\n";
    return text.find("\"window\"") == std::string::npos ? "" : "window = { observed = 2 }\n";
  }

  std::shared_ptr<const ModelSpec> spec;
  std::shared_ptr<const BoundModel> model;
  std::shared_ptr<const ExecutionPlan> plan;
  std::shared_ptr<const PreparedData> data;
};

}  // namespace greybox::test
