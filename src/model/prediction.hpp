// What a model predicts for windows of data: trajectories with their parts, errors, regularizers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// Values at the output times: [window][time][point].
struct PredictedVariable {
  std::string name;  // as in files: `velocity`, `theory.velocity`, `network.velocity`
  std::size_t height = 1, width = 1;
  std::vector<double> values;
};

struct Prediction {
  std::size_t n_windows = 0;
  std::size_t n_outputs = 0;
  std::vector<PredictedVariable> variables;
  std::vector<double> theta;  // windows × parameters
  std::vector<std::pair<std::string, double>> regularizers;
  double mse = 0, rmse = 0, nrmse = 0;
  std::vector<std::string> warnings;
};

struct PredictionRequest {
  std::span<const double> weights;
  std::vector<std::size_t> windows;  // of the loaded data
  std::vector<double> theta;  // one value per parameter, or windows × parameters; empty: the estimator's
};

template <class T>
Prediction make_prediction(const LoadedModel& loaded, const PredictionRequest& request, ThreadPool& pool);

extern template Prediction make_prediction<float>(const LoadedModel&, const PredictionRequest&, ThreadPool&);
extern template Prediction make_prediction<double>(const LoadedModel&, const PredictionRequest&, ThreadPool&);

// Writes .npz (one array per variable) or .csv (one row per window and time; scalars only).
void write_prediction(const std::filesystem::path& file, const LoadedModel& loaded,
                      const PredictionRequest& request, const Prediction& prediction);

}  // namespace greybox
