// `greybox estimate`: the parameters at which a regularizer is lowest (equation 5).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  std::string on;                                 // a split as for landscapes, `each`, or a data file
  std::optional<std::size_t> starts;              // draws of the prior to start from
  std::optional<std::size_t> steps;               // steps of adam; evaluations per start of the others
  std::pair<double, double> rate = {1e-2, 1e-4};  // of adam: first and last
  std::uint64_t seed = 0;
  bool single_precision = false;
  std::size_t n_threads = 0;
  std::function<void(std::size_t, std::size_t)> progress;  // (done, all), in windows, for `each`
};

struct Estimate {
  std::map<std::string, double> theta;
  double regularizer = 0;
  double loss = 0, rmse = 0, nrmse = 0;
  std::size_t n_evaluations = 0;
  std::vector<std::string> at_bounds;  // parameters that ended on a bound
  std::string series;                  // of `each`: where the window stands
  double time = 0;
};

struct EstimateReport {
  std::string regularizer, method, on;
  std::size_t n_windows = 0;
  std::vector<Estimate> estimates;  // one, or with `each` one per window
  std::vector<std::string> warnings;
  std::string json;
};

// Throws InputError for the user's mistakes. The run's ledger remembers what was used, and warns of data used
// twice.
EstimateReport estimate(const EstimateOptions& options);

// One row per estimate.
void write_estimates(const EstimateReport& report, const std::filesystem::path& csv_file);

}  // namespace greybox
