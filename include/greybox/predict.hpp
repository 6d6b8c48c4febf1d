// Predictions: what a trained model says about windows of data, for given parameters.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/fit.hpp"
#include "greybox/run.hpp"

namespace greybox {

struct PredictOptions {
  // A value for every parameter; empty: each window's own, from the model's [estimator].
  Theta theta{};
  // Other data than the run's own.
  std::optional<Table> data{};
  // By default all windows.
  Selection on{};
  // Expressions beyond the regularizers of the model file.
  std::vector<std::string> regularizers{};
  bool single_precision = false;
  Execution execution{};
};

// Values at the output times: [window][step], of a field [window][step][height][width]. NaN where a window
// has no such step, and after a state became non-finite.
struct PredictedVariable {
  // As in files: `velocity`, `theory.velocity`, `network.velocity`.
  std::string name;
  std::size_t height = 1, width = 1;
  std::vector<double> values;
};

// One predicted window: where it starts, and how many output times it has.
struct PredictedWindow {
  std::string series;
  double start = 0;
  std::size_t n_steps = 0;
};

struct Prediction {
  std::size_t n_windows = 0;
  // Of the longest window.
  std::size_t n_steps = 0;
  std::vector<PredictedWindow> windows;
  // [window][step]; NaN where a window has no such step.
  std::vector<double> time;
  std::vector<PredictedVariable> variables;
  // The data at the output times: every column that the model reads.
  std::vector<PredictedVariable> data;
  std::vector<std::string> parameters;
  // [window][parameter]
  std::vector<double> theta;
  std::vector<std::pair<std::string, double>> regularizers;
  // Over all windows and outputs; `nrmse` is `rmse` over the range of the data.
  double mse = 0, rmse = 0, nrmse = 0;
  // The same of each observed variable.
  std::vector<OutputError> outputs{};
  std::vector<std::string> warnings;

  // An observed variable, or the theory's or the network's part of a state (of an output, where the model is
  // algebraic). Throw std::out_of_range for a name that is none.
  const std::vector<double>& observed(const std::string& name) const;
  const std::vector<double>& theory(const std::string& name) const;
  const std::vector<double>& network(const std::string& name) const;
};

// Throws InputError for the user's mistakes, Interruption when cancelled.
Prediction predict(const Run& run, const PredictOptions& options = {});

// As .npz (one array per variable) or .csv (one row per window and time; no fields), by the file's ending.
void write_prediction(const Prediction& prediction, const std::filesystem::path& file);
std::string to_json(const Prediction& prediction);

}  // namespace greybox
