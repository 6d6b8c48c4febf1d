// `greybox predict`: what a trained model says about data, for given parameters.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace greybox {

struct PredictOptions {
  std::filesystem::path run;              // folder with model.toml and weights.npz
  std::filesystem::path data;             // empty: the model's own data file
  std::filesystem::path output;           // .npz or .csv; empty: none
  std::map<std::string, double> theta;    // by parameter; empty with use_estimator
  bool use_estimator = false;             // θ of each window from the model's [estimator]
  std::vector<std::string> regularizers;  // expressions beyond those of the model file
  bool single_precision = false;
  std::size_t n_threads = 0;  // 0: one per core
};

struct PredictReport {
  std::size_t n_windows = 0;
  std::size_t n_steps = 0;
  std::vector<std::pair<std::string, double>> regularizers;
  double mse = 0, rmse = 0, nrmse = 0;  // nrmse: rmse over the range of the data
  std::vector<std::string> warnings;    // for instance, windows whose state left the finite numbers
  std::string json;
};

// Throws InputError for mistakes of the user's.
PredictReport predict(const PredictOptions& options);

}  // namespace greybox
