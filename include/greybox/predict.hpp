// Predictions: what a trained model says about windows of data, for given parameters.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/fit.hpp"
#include "greybox/run.hpp"
#include "greybox/theta_from.hpp"

namespace greybox {

struct PredictOptions {
  // A value for every parameter; empty: as `theta_from` says.
  Theta theta{};
  ThetaFrom theta_from = ThetaFrom::automatic;
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
  // As in files: `velocity`, `theory.velocity`, `network.velocity`, `state.velocity`.
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

// What the residuals of one observed variable (measured - predicted) say about model and noise. Under [noise]
// they are standardised: residuals of a model that is right then have mean 0 and variance 1. NaN where there
// are too few, or all are alike.
struct ResidualReport {
  std::string name;
  std::size_t n = 0;
  bool is_standardised = false;
  double mean = 0, sd = 0;
  // p of residuals that are as far from 0 on average.
  double mean_p = 0;
  // From one snapshot to the next of the same window; p of Ljung and Box over the first lags.
  double autocorrelation = 0, independence_p = 0;
  // 0 of a normal distribution; p of Jarque and Bera.
  double skewness = 0, excess_kurtosis = 0, normality_p = 0;
  // Correlations of the residuals, and of their squares, with time and with what is predicted.
  double with_time = 0, with_prediction = 0, square_with_prediction = 0;
  // What is off, a sentence each.
  std::vector<std::string> findings{};
};

struct Prediction {
  std::size_t n_windows = 0;
  // Of the longest window.
  std::size_t n_steps = 0;
  std::vector<PredictedWindow> windows;
  // [window][step]; NaN where a window has no such step.
  std::vector<double> time;
  std::vector<PredictedVariable> variables;
  // Of every state, measured or hidden, where its windows start: [window].
  std::vector<PredictedVariable> initial{};
  // Of every latent: [window], of a vector [window][component], `width` being their number.
  std::vector<PredictedVariable> latents{};
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
  // Mean over everything that is compared; NaN without [noise].
  double negative_log_likelihood = std::numeric_limits<double>::quiet_NaN();
  std::vector<ResidualReport> residuals{};
  std::vector<std::string> warnings;

  // An observed variable, or the theory's or the network's part of a state (of an output, where the model is
  // algebraic). Throw std::out_of_range for a name that is none.
  const std::vector<double>& observed(const std::string& name) const;
  const std::vector<double>& theory(const std::string& name) const;
  const std::vector<double>& network(const std::string& name) const;
  // A state, measured or hidden.
  const std::vector<double>& state(const std::string& name) const;
};

// Throws InputError for the user's mistakes, Interruption when cancelled.
Prediction predict(const Run& run, const PredictOptions& options = {});

// As .npz (one array per variable) or .csv (one row per window and time; no fields), by the file's ending.
void write_prediction(const Prediction& prediction, const std::filesystem::path& file);
std::string to_json(const Prediction& prediction);

}  // namespace greybox
