#include "analysis/reproduce/reproduce_prediction.hpp"

namespace greybox {

std::size_t PredictedWindows::row(std::size_t window, std::size_t output) const {
  // The first snapshot is where a trajectory starts.
  return run.loaded.data->windows().windows[windows[window]].first_row + output + 1;
}

double PredictedWindows::time(std::size_t window, std::size_t output) const {
  return run.loaded.data->table().time[row(window, output)];
}

const std::vector<double>& PredictedWindows::values(const std::string& name) const {
  return variable_of(prediction, name).values;
}

std::vector<double> PredictedWindows::predicted_field(const std::string& name, std::size_t window,
                                                      std::size_t output) const {
  const std::vector<double>& all = values(name);
  const std::size_t n_points = all.size() / (prediction.n_windows * prediction.n_steps);
  const auto begin =
      all.begin() + static_cast<std::ptrdiff_t>((window * prediction.n_steps + output) * n_points);
  return {begin, begin + static_cast<std::ptrdiff_t>(n_points)};
}

std::vector<double> PredictedWindows::observed_field(const std::string& name, std::size_t window,
                                                     std::size_t output) const {
  const Column& column = *run.loaded.data->table().find(name);
  std::vector<double> field;
  for (std::size_t point = 0; point < column.points(); ++point)
    field.push_back(column.at(row(window, output), point));
  return field;
}

PredictedWindows predict_windows(const Run& run, const ChooseWindows& choose,
                                 const std::vector<double>& theta, std::size_t n_threads) {
  PredictedWindows predicted{.run = open_run(run), .windows = {}, .prediction = {}};
  predicted.windows = choose(*predicted.run.loaded.data);
  ThreadPool pool(n_threads);
  predicted.prediction =
      make_prediction<double>(predicted.run.loaded, {predicted.run.weights, predicted.windows, theta}, pool);
  return predicted;
}

}  // namespace greybox
