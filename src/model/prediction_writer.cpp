// Predictions as files.
#include <fmt/format.h>

#include "data/csv_writer.hpp"
#include "data/npz.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

void write_arrays(const std::filesystem::path& file, const Prediction& prediction) {
  std::vector<NamedArray> arrays;
  for (const PredictedVariable& variable : prediction.variables) {
    std::vector<std::size_t> shape = {prediction.n_windows, prediction.n_outputs};
    if (variable.height * variable.width > 1) shape.insert(shape.end(), {variable.height, variable.width});
    arrays.emplace_back(variable.name, NpyArray{shape, variable.values});
  }
  const auto add_number = [&](const std::string& name, double value) {
    arrays.emplace_back(name, NpyArray{{}, std::vector<double>{value}});
  };
  for (const auto& [name, value] : prediction.regularizers) add_number("R." + name, value);
  add_number("rmse", prediction.rmse);
  add_number("nrmse", prediction.nrmse);
  const std::size_t n_parameters = prediction.theta.size() / prediction.n_windows;
  arrays.emplace_back("theta", NpyArray{{prediction.n_windows, n_parameters}, prediction.theta});
  write_npz(file, arrays);
}

// One row per window and output time; a regularizer is the same number in every row.
void write_rows(const std::filesystem::path& file, const LoadedModel& loaded,
                const PredictionRequest& request, const Prediction& prediction) {
  const WindowData& data = loaded.data->windows();
  const std::size_t first_snapshot = loaded.model->is_algebraic() ? 0 : 1;
  std::vector<std::string> series;
  std::vector<double> window_numbers, time;
  std::vector<std::vector<double>> values(prediction.variables.size()),
      constants(prediction.regularizers.size());
  for (std::size_t w = 0; w < prediction.n_windows; ++w) {
    const Window& window = data.windows[request.windows[w]];
    for (std::size_t k = 0; k + first_snapshot < window.n_rows; ++k) {
      series.push_back(data.table->series[window.series].name);
      window_numbers.push_back(static_cast<double>(w));
      time.push_back(data.table->time[window.first_row + k + first_snapshot]);
      for (std::size_t v = 0; v < values.size(); ++v)
        values[v].push_back(prediction.variables[v].values[w * prediction.n_outputs + k]);
      for (std::size_t r = 0; r < constants.size(); ++r)
        constants[r].push_back(prediction.regularizers[r].second);
    }
  }
  std::vector<CsvColumn> columns = {{"series", std::span<const std::string>(series)},
                                    {"window", std::span<const double>(window_numbers)},
                                    {"time", std::span<const double>(time)}};
  for (std::size_t v = 0; v < values.size(); ++v)
    columns.push_back({prediction.variables[v].name, std::span<const double>(values[v])});
  for (std::size_t r = 0; r < constants.size(); ++r)
    columns.push_back({"R." + prediction.regularizers[r].first, std::span<const double>(constants[r])});
  write_csv(file, columns);
}

}  // namespace

void write_prediction(const std::filesystem::path& file, const LoadedModel& loaded,
                      const PredictionRequest& request, const Prediction& prediction) {
  const std::string extension = file.extension().string();
  if (extension == ".npz") return write_arrays(file, prediction);
  for (const PredictedVariable& variable : prediction.variables)
    if (variable.height * variable.width > 1)
      throw InputError(Diagnostic{.file = file.string(),
                                  .message = "fields do not fit into the cells of a CSV file",
                                  .help = "write to a file that ends in .npz"});
  write_rows(file, loaded, request, prediction);
}

}  // namespace greybox
