// `greybox estimate`: the parameters at which a regularizer is lowest (equation 5), or a network that gives
// them for any window (equation 6).
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/train.hpp"

namespace greybox {

enum class EstimateMethod : std::uint8_t {
  grid,    // one or two parameters: every point of a grid
  adam,    // gradient steps from a draw of the prior, as in the paper
  lbfgs,   // quasi-Newton within the bounds, several starts
  bobyqa,  // quadratic models without gradients, several starts
  direct,  // dividing rectangles over the whole box
};

// What is not set has a default that suits the method.
struct EstimateOptions {
  std::filesystem::path run;
  std::filesystem::path data;  // empty: what the run learned from
  std::string regularizer;     // a name or an expression
  std::optional<EstimateMethod> method;
  std::string on;                     // a split as for landscapes, `each`, a data file, or x=LOW:HIGH:N,…
  std::optional<std::size_t> starts;  // draws of the prior to start from
  std::optional<std::size_t> steps;   // steps of adam; evaluations per start of the others
  std::optional<std::pair<double, double>> rate;  // of adam, or of an amortised training: first and last
  bool amortised = false;            // train the model's [estimator], unless that was done, and apply it
  std::size_t epochs = 50;           // of that training
  std::optional<std::size_t> batch;  // of that training; none: as in the model file
  bool overwrite = false;            // train it anew
  std::uint64_t seed = 0;
  bool single_precision = false;
  std::size_t n_threads = 0;
  // (done, all), in windows for `each`, in epochs of a training.
  std::function<void(std::size_t, std::size_t)> progress;
  // Of a training.
  std::function<void(const EpochReport&)> on_epoch{};
  // Once true, a training ends with Interruption; the same call continues it.
  const std::atomic<bool>* cancel = nullptr;
};

struct Estimate {
  std::map<std::string, double> theta;
  double regularizer = 0;
  double loss = 0, rmse = 0, nrmse = 0;
  std::size_t n_evaluations = 0;
  std::vector<std::string> at_bounds;  // parameters that ended on a bound
  std::string series;                  // of one window: where it stands
  double time = 0;
};

struct EstimateReport {
  std::string regularizer, method, on;
  std::size_t n_windows = 0;
  std::vector<Estimate> estimates;  // one, or one per window
  bool is_per_window = false;
  std::filesystem::path run;  // amortised: the folder with the trained estimator
  std::string note;           // amortised: whether it was trained now
  // Amortised: how the training ended. After a divergence there are no estimates, and `message` says where.
  TrainOutcome outcome = TrainOutcome::finished;
  std::string message;
  std::vector<std::string> warnings;
  std::string json;
};

// Throws InputError for the user's mistakes. The run's ledger remembers what was used, and warns of data used
// twice.
EstimateReport estimate(const EstimateOptions& options);

// One row per estimate.
void write_estimates(const EstimateReport& report, const std::filesystem::path& csv_file);

}  // namespace greybox
