#include "analysis/reproduce/reproduce_sliding.hpp"

#include <cmath>

#include "core/limits.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Sums and counts day by day.
class DailyMeans {
 public:
  explicit DailyMeans(std::size_t n_days) : sums_(n_days), counts_(n_days) {}

  void add(std::size_t day, double value) {
    sums_[day] += value;
    ++counts_[day];
  }
  std::vector<double> means() const {
    std::vector<double> means;
    for (std::size_t day = 0; day < sums_.size(); ++day)
      means.push_back(counts_[day] == 0 ? kNaN : sums_[day] / static_cast<double>(counts_[day]));
    return means;
  }

 private:
  std::vector<double> sums_;
  std::vector<std::size_t> counts_;
};

std::vector<std::size_t> windows_of_series(const PreparedData& data, const std::string& name) {
  std::vector<std::size_t> windows;
  for (std::size_t w : data.all())
    if (data.table().series[data.windows().windows[w].series].name == name) windows.push_back(w);
  return windows;
}

// Calls `visit(window, output, day)` for every output of every window.
template <class Visit>
void for_each_output(const PredictedWindows& predicted, std::size_t first_row, const Visit& visit) {
  for (std::size_t w = 0; w < predicted.prediction.n_windows; ++w)
    for (std::size_t k = 0; k < predicted.prediction.n_steps; ++k)
      visit(w, k, predicted.row(w, k) - first_row);
}

// `value(place)` of each output, `place` counting windows × outputs, averaged day by day.
template <class Value>
std::vector<double> averaged(const PredictedWindows& predicted, const Series& series, const Value& value) {
  DailyMeans means(series.n_rows);
  for_each_output(predicted, series.first_row, [&](std::size_t w, std::size_t k, std::size_t day) {
    means.add(day, value(w * predicted.prediction.n_steps + k, w));
  });
  return means.means();
}

std::vector<double> squared_errors(const PredictedWindows& predicted, const Series& series) {
  const BoundModel& model = *predicted.run.loaded.model;
  const DataTable& table = predicted.run.loaded.data->table();
  DailyMeans means(series.n_rows);
  for (const Observed& observed : model.observed) {
    const std::vector<double>& values = predicted.values(observed.name);
    const Column& column = *table.find(observed.name);
    for_each_output(predicted, series.first_row, [&](std::size_t w, std::size_t k, std::size_t day) {
      const double error = values[w * predicted.prediction.n_steps + k] - column.at(predicted.row(w, k));
      means.add(day, error * error);
    });
  }
  return means.means();
}

std::vector<double> norm_of_network(const PredictedWindows& predicted, const Series& series) {
  std::vector<double> norm(series.n_rows);
  for (const BoundState& state : predicted.run.loaded.model->states) {
    const std::vector<double>& values = predicted.values("network." + state.name);
    const std::vector<double> squares = averaged(
        predicted, series, [&](std::size_t place, std::size_t) { return values[place] * values[place]; });
    for (std::size_t day = 0; day < norm.size(); ++day) norm[day] += squares[day];
  }
  return norm;
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  double sum = 0, n = 0;
  for (double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++n;
  }
  return sum / n;
}

SlidingAverages slide_over(const Run& run, const std::string& name, std::size_t n_threads) {
  const PredictedWindows predicted = predict_windows(
      run, [&](const PreparedData& data) { return windows_of_series(data, name); }, {}, n_threads);
  const LoadedModel& loaded = predicted.run.loaded;
  const DataTable& table = loaded.data->table();
  const Series& series = table.series[loaded.data->windows().windows[predicted.windows.front()].series];
  SlidingAverages slid;
  for (std::size_t day = 0; day < series.n_rows; ++day)
    slid.time.push_back(table.time[series.first_row + day]);
  for (const Observed& observed : loaded.model->observed) {
    const std::vector<double>& values = predicted.values(observed.name);
    slid.predicted.push_back(
        averaged(predicted, series, [&](std::size_t place, std::size_t) { return values[place]; }));
    slid.observed.emplace_back();
    for (std::size_t day = 0; day < series.n_rows; ++day)
      slid.observed.back().push_back(table.find(observed.name)->at(series.first_row + day));
  }
  const std::size_t n_parameters = loaded.spec->parameters.size();
  for (std::size_t p = 0; p < n_parameters; ++p)
    slid.theta.push_back(averaged(predicted, series, [&](std::size_t, std::size_t w) {
      return predicted.prediction.theta[w * n_parameters + p];
    }));
  slid.network_norm = norm_of_network(predicted, series);
  const double range = observed_range(loaded, predicted.windows);
  for (double square : squared_errors(predicted, series))
    slid.nrmse_percent.push_back(100 * std::sqrt(square) / range);
  slid.total_nrmse_percent = 100 * predicted.prediction.nrmse;
  return slid;
}

}  // namespace greybox
