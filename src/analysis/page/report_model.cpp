// The report page's view of a model and its data: equations, parameters, networks, a look at the table.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "analysis/page/report_parts.hpp"
#include "core/base64.hpp"
#include "model/network_set.hpp"

namespace greybox {
namespace {

constexpr std::size_t kSeriesShown = 6, kRowsShown = 400;

Json equations_of(const std::shared_ptr<const ModelSpec>& spec) {
  Json list = Json::array();
  for (const EquationInfo& equation : Model(spec).equations())
    list.push_back({{"section", equation.section},
                    {"name", equation.name},
                    {"text", equation.text},
                    {"latex", equation.latex}});
  return list;
}

Json parameters_of(const ModelSpec& spec) {
  Json list = Json::array();
  for (const ParameterSpec& p : spec.parameters) {
    Json one{{"name", p.name},  {"prior", to_string(p.prior)},
             {"low", p.low},  // infinite ones become null
             {"high", p.high},  {"unit", p.unit},
             {"about", p.about}};
    if (!p.is_known_by_bounds()) one.update({{"mean", p.mean}, {"sd", p.sd}});
    list.push_back(std::move(one));
  }
  return list;
}

Json networks_of(const BoundModel& model) {
  const NetworkSet<double> networks(model);
  Json list = Json::array();
  for (std::size_t n = 0; n < model.networks.size(); ++n) {
    if (model.networks[n].twin_of) continue;
    const NetworkSpec& spec = *model.networks[n].spec;
    std::vector<std::string> inputs, outputs;
    if (spec.inputs.empty()) inputs.emplace_back("window");
    for (const Equation& input : spec.inputs) inputs.push_back(input.text);
    for (const OutputSpec& output : spec.outputs)
      outputs.push_back(output.is_vector ? fmt::format("{}[{}]", output.name, output.count) : output.name);
    list.push_back({{"name", spec.name},
                    {"kind", spec.kind->name},
                    {"inputs", inputs},
                    {"hidden", spec.kind->hidden(spec.settings)},
                    {"outputs", outputs},
                    {"n_weights", networks[n].n_weights()}});
  }
  return list;
}

// A field is shown by its mean over the grid.
double shown_value(const Column& column, std::size_t row) {
  double sum = 0;
  for (std::size_t point = 0; point < column.points(); ++point) sum += column.at(row, point);
  return sum / static_cast<double>(column.points());
}

// Some rows of a series, evenly spaced.
std::vector<std::size_t> rows_shown(const Series& series) {
  const std::size_t n = std::min(series.n_rows, kRowsShown);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back(series.first_row + i * series.n_rows / n);
  return rows;
}

Json preview_of(const WindowData& data, const Series& series, const Column* x) {
  std::vector<std::size_t> rows = rows_shown(series);
  const auto x_of = [&](std::size_t row) { return x != nullptr ? x->at(row) : data.table->time[row]; };
  std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return x_of(a) < x_of(b); });
  const auto values_of = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t row : rows) values.push_back(value(row));
    return values;
  };
  Json json{{"series", series.name},
            {"x", {{"name", x != nullptr ? x->name : "time"}, {"values", values_of(x_of)}}},
            {"columns", Json::array()}};
  for (const Column* column : data.columns)
    if (column != x)
      json["columns"].push_back(
          {{"name", column->is_field() ? fmt::format("mean of {}", column->name) : column->name},
           {"values", values_of([&](std::size_t row) { return shown_value(*column, row); })}});
  return json;
}

Json columns_of(const WindowData& data) {
  Json list = Json::array();
  for (const Column* column : data.columns) {
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (std::size_t row = 0; row < data.table->n_rows(); ++row)
      for (std::size_t point = 0; point < column->points(); ++point) {
        const double value = column->at(row, point);
        low = std::fmin(low, value);
        high = std::fmax(high, value);
        if (!std::isnan(value)) sum += value;
      }
    const auto n = static_cast<double>(data.table->n_rows() * column->points() - count_missing(*column));
    list.push_back({{"name", column->name}, {"min", low}, {"max", high}, {"mean", sum / n}});
  }
  return list;
}

}  // namespace

Json report_model(const LoadedModel& loaded) {
  const ModelSpec& spec = *loaded.spec;
  return {{"name", spec.name},
          {"about", spec.about},
          {"file", std::filesystem::path(spec.source->path).filename().string()},
          {"text", spec.source->text},
          {"equations", equations_of(loaded.spec)},
          {"parameters", parameters_of(spec)},
          {"networks", networks_of(*loaded.model)}};
}

// Without time, what is seen over the first column that is not an output.
Json report_data_summary(const LoadedModel& loaded) {
  const WindowData& data = loaded.data->windows();
  const DataTable& table = *data.table;
  const Column* x = nullptr;
  if (loaded.spec->is_algebraic())
    if (const std::optional<std::size_t> input = first_input(*loaded.model)) x = data.columns[*input];
  Json json{{"file", std::filesystem::path(table.file).filename().string()},
            {"sha256", table.sha256},
            {"rows", table.n_rows()},
            {"windows",
             {{"train", loaded.data->of_split(Split::train).size()},
              {"validation", loaded.data->of_split(Split::validation).size()},
              {"test", loaded.data->of_split(Split::test).size()}}},
            {"columns", columns_of(data)},
            {"preview", Json::array()}};
  for (std::size_t s = 0; s < std::min(table.series.size(), kSeriesShown); ++s)
    json["preview"].push_back(preview_of(data, table.series[s], x));
  return json;
}

}  // namespace greybox
