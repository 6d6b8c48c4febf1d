// `greybox compare`: ways to learn side by side, over trials that differ at random.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "greybox/estimate.hpp"
#include "greybox/train.hpp"

namespace greybox {

// How θ of an adaptive network is estimated. The paper: Adam for most models, a grid for one parameter.
struct CompareEstimate {
  EstimateMethod method = EstimateMethod::adam;
  std::size_t steps = 2000;  // of adam; points along each axis of a grid; evaluations of the others
  std::pair<double, double> rate = {1e-2, 1e-4};  // of adam: first and last
  bool on_test_alone =
      false;  // R over the test inputs, as in the paper's pendulum; else over those of training too
};

// What is not set is taken from the model file.
struct CompareOptions {
  std::filesystem::path model;
  std::filesystem::path folder;  // where trials are kept; empty: runs/NAME-compare-seedN
  std::filesystem::path data;    // empty: the model's own
  std::vector<TrainMode> modes = {TrainMode::adaptive, TrainMode::inductive, TrainMode::transductive};
  std::vector<double> lambdas = {1e-3, 1e-2, 1e-1};  // mode aphynity has none, and one row
  std::size_t trials = 20;
  std::optional<std::string> regularizer;  // a name or an expression
  std::optional<std::size_t> epochs;
  CompareEstimate estimate;
  std::uint64_t seed = 0;     // trial k splits, initialises, shuffles and draws with seed + k
  std::size_t n_threads = 0;  // 0: one per core; results do not depend on it
  std::function<void(std::size_t n_done, std::size_t n_all)>
      progress;  // trials of this call, one call at a time
  const std::atomic<bool>* cancel =
      nullptr;  // once true, trials under way are given up and those finished kept
};

struct MeanAndError {
  double mean = 0;
  double standard_error = 0;  // NaN for fewer than two trials, as is the mean without any
};

// What is known about one mode at one λ, on the test windows.
struct ComparedRow {
  std::string mode;
  std::optional<double> lambda{};  // none in mode aphynity
  std::size_t trials = 0;          // finished, without those that diverged
  MeanAndError loss, regularizer;
};

struct CompareReport {
  std::filesystem::path folder;
  std::string model, regularizer;
  std::vector<ComparedRow> rows;  // by mode, then λ, in the order asked for
  std::size_t n_kept = 0;         // trials that an earlier call had finished
  std::size_t n_missing = 0;      // trials that are not finished: the comparison was interrupted
  std::vector<std::string> warnings;
  std::string json;
  std::string note;  // a sentence for the picture
};

// Runs the trials that the folder does not hold yet, sharing them out over the threads. Throws InputError for
// the user's mistakes (also: a folder whose trials are of another model, other data or other options) and
// std::system_error when the disk refuses.
CompareReport compare(const CompareOptions& options);

// Writes comparison.csv, .svg and .png into the report's folder; returns what was written.
std::vector<std::filesystem::path> write_comparison(const CompareReport& report);

}  // namespace greybox
