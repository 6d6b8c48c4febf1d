// Point estimates: the parameters at which a regularizer is lowest (equation 5), or a network that gives them
// for any window (equation 6).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/fit.hpp"
#include "greybox/run.hpp"

namespace greybox {

enum class EstimateMethod : std::uint8_t {
  // One or two parameters: every point of a grid.
  grid,
  // Gradient steps from a draw of the prior, as in the paper.
  adam,
  // Quasi-Newton within the bounds, several starts.
  lbfgs,
  // Quadratic models without gradients, several starts.
  bobyqa,
  // Dividing rectangles over the whole box.
  direct,
};

std::string to_string(EstimateMethod method);

// What is not set has a default that suits the method.
struct EstimateOptions {
  // A name or an expression.
  std::string regularizer;
  std::optional<EstimateMethod> method{};
  // By default the test windows.
  Selection on{};
  // One estimate for each of these windows instead of one for all.
  bool each_window = false;
  // Other data than the run's own.
  std::optional<Table> data{};
  // Draws of the prior to start from.
  std::optional<std::size_t> starts{};
  // Steps of adam; evaluations per start of the others.
  std::optional<std::size_t> steps{};
  // Of adam, or of an amortised training: first and last.
  std::optional<std::pair<double, double>> rate{};
  // Train the model's [estimator], unless that was done, and apply it.
  bool amortised = false;
  // Of that training; no batch: as in the model file.
  std::size_t epochs = 50;
  std::optional<std::size_t> batch{};
  // Train it anew, or continue a training that was interrupted.
  bool overwrite = false;
  std::uint64_t seed = 0;
  bool single_precision = false;
  // Compute every θ of a grid, even where values can be interpolated.
  bool exact = false;
  Execution execution{};
};

// The estimate of one window: where it starts, and what holds there.
struct WindowEstimate {
  std::string series;
  double start = 0;
  Theta theta;
  double regularizer = 0;
  double loss = 0, rmse = 0, nrmse = 0;
  std::size_t n_evaluations = 0;
  // Parameters that ended on a bound, or at the end of the range that was searched.
  std::vector<std::string> at_bounds;
  // Parameters that adam was still moving steadily when its steps were used up.
  std::vector<std::string> unsettled{};
  // Where R is lowest without regard to the fit, and the RMSE there; empty where that is the estimate itself.
  Theta unconstrained{};
  double unconstrained_rmse = 0;
};

struct Estimate {
  std::string regularizer_name;
  // "grid", "adam", …, or "amortised".
  std::string method;
  // The windows: a split, or a data file.
  std::string on;
  std::size_t n_windows = 0;

  // One θ for all windows; empty where there is one estimate per window.
  Theta theta;
  double regularizer = 0;
  double loss = 0, rmse = 0, nrmse = 0;
  std::size_t n_evaluations = 0;
  std::vector<std::string> at_bounds;
  std::vector<std::string> unsettled{};
  // Where R is lowest without regard to the fit, and the RMSE there; empty where that is the estimate itself.
  Theta unconstrained{};
  double unconstrained_rmse = 0;
  // Errors of each observed variable, at the θ of all windows or at each window's own.
  std::vector<OutputError> outputs{};

  // One per window; empty where there is one θ for all.
  std::vector<WindowEstimate> windows;
  // Mean and standard deviation over the windows that have an estimate.
  Theta theta_mean, theta_sd;

  // Amortised: the run with the trained estimator, and whether it was trained now.
  std::optional<Run> trained;
  std::string note;
  std::vector<std::string> warnings;
};

// Throws InputError for the user's mistakes, Interruption when cancelled. The run's ledger remembers what was
// used, and warns of data used twice.
Estimate estimate(const Run& run, const EstimateOptions& options);

std::string to_json(const Estimate& estimate);
// One row per estimate.
void write_estimate(const Estimate& estimate, const std::filesystem::path& csv_file);

}  // namespace greybox
