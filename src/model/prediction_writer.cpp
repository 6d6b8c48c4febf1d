// Predictions as files and as JSON.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "data/csv_writer.hpp"
#include "data/npz.hpp"
#include "data/output_errors_json.hpp"
#include "model/prediction.hpp"
#include "model/residual_report.hpp"

namespace greybox {
namespace {

void write_arrays(const std::filesystem::path& file, const Prediction& prediction) {
  std::vector<NamedArray> arrays;
  for (const PredictedVariable& variable : prediction.variables) {
    std::vector<std::size_t> shape = {prediction.n_windows, prediction.n_steps};
    if (variable.height > 1) shape.push_back(variable.height);
    if (variable.height * variable.width > 1) shape.push_back(variable.width);
    arrays.emplace_back(variable.name, NpyArray{shape, variable.values});
  }
  const auto add_number = [&](const std::string& name, double value) {
    arrays.emplace_back(name, NpyArray{{}, std::vector<double>{value}});
  };
  for (const auto& [name, value] : prediction.regularizers) add_number("R." + name, value);
  add_number("rmse", prediction.rmse);
  add_number("nrmse", prediction.nrmse);
  arrays.emplace_back("theta",
                      NpyArray{{prediction.n_windows, prediction.parameters.size()}, prediction.theta});
  for (const PredictedVariable& state : prediction.initial) {
    std::vector<std::size_t> shape = {prediction.n_windows};
    if (state.height * state.width > 1) shape.insert(shape.end(), {state.height, state.width});
    arrays.emplace_back("initial." + state.name, NpyArray{std::move(shape), state.values});
  }
  for (const PredictedVariable& latent : prediction.latents) {
    std::vector<std::size_t> shape = {prediction.n_windows};
    if (latent.width > 1) shape.push_back(latent.width);
    arrays.emplace_back("latent." + latent.name, NpyArray{std::move(shape), latent.values});
  }
  write_npz(file, arrays);
}

// One row per window and output time; a regularizer is the same number in every row.
void write_rows(const std::filesystem::path& file, const Prediction& prediction) {
  std::vector<std::string> series;
  std::vector<double> window_numbers, time;
  std::vector<std::vector<double>> values(prediction.variables.size()),
      constants(prediction.regularizers.size());
  for (std::size_t w = 0; w < prediction.n_windows; ++w)
    for (std::size_t k = 0; k < prediction.windows[w].n_steps; ++k) {
      const std::size_t place = w * prediction.n_steps + k;
      series.push_back(prediction.windows[w].series);
      window_numbers.push_back(static_cast<double>(w));
      time.push_back(prediction.time[place]);
      for (std::size_t v = 0; v < values.size(); ++v)
        values[v].push_back(prediction.variables[v].values[place]);
      for (std::size_t r = 0; r < constants.size(); ++r)
        constants[r].push_back(prediction.regularizers[r].second);
    }
  std::vector<std::pair<std::string, std::vector<double>>> latents;
  for (const PredictedVariable& latent : prediction.latents)
    for (std::size_t c = 0; c < latent.width; ++c) {
      const std::string name = "latent." + latent.name;
      std::vector<double>& of_rows =
          latents
              .emplace_back(latent.width > 1 ? fmt::format("{}[{}]", name, c) : name, std::vector<double>{})
              .second;
      for (double w : window_numbers)
        of_rows.push_back(latent.values[static_cast<std::size_t>(w) * latent.width + c]);
    }
  std::vector<CsvColumn> columns = {{"series", std::span<const std::string>(series)},
                                    {"window", std::span<const double>(window_numbers)},
                                    {"time", std::span<const double>(time)}};
  for (std::size_t v = 0; v < values.size(); ++v)
    columns.push_back({prediction.variables[v].name, std::span<const double>(values[v])});
  for (std::size_t r = 0; r < constants.size(); ++r)
    columns.push_back({"R." + prediction.regularizers[r].first, std::span<const double>(constants[r])});
  for (const auto& [name, of_rows] : latents) columns.push_back({name, std::span<const double>(of_rows)});
  write_csv(file, columns);
}

}  // namespace

void write_prediction(const Prediction& prediction, const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".npz") return write_arrays(file, prediction);
  if (extension != ".csv")
    throw InputError(Diagnostic{.file = file.string(),
                                .message = "the ending of the output file says neither npz nor csv",
                                .help = "name it NAME.npz or NAME.csv"});
  for (const PredictedVariable& variable : prediction.variables)
    if (variable.height * variable.width > 1)
      throw InputError(Diagnostic{.file = file.string(),
                                  .message = "fields do not fit into the cells of a CSV file",
                                  .help = "write to a file that ends in .npz"});
  write_rows(file, prediction);
}

std::string to_json(const Prediction& prediction) {
  nlohmann::ordered_json json;
  json["windows"] = prediction.n_windows;
  json["steps"] = prediction.n_steps;
  const bool has_noise = !std::isnan(prediction.negative_log_likelihood);
  json["L"] = has_noise ? prediction.negative_log_likelihood : prediction.mse;
  if (has_noise) json["negative_log_likelihood"] = prediction.negative_log_likelihood;
  json["rmse"] = prediction.rmse;
  json["nrmse"] = prediction.nrmse;
  json["outputs"] = json_of(prediction.outputs);
  json["residuals"] = json_of(prediction.residuals);
  for (const auto& [name, value] : prediction.regularizers) json["R"][name] = value;
  json["warnings"] = prediction.warnings;
  return json.dump();
}

}  // namespace greybox
