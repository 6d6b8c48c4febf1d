// Ways to learn side by side, over trials that differ at random or in what they hold out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/estimate.hpp"
#include "greybox/shard.hpp"
#include "greybox/train.hpp"

namespace greybox {

// How θ of an adaptive network is estimated. The paper: Adam for most models, a grid for one parameter.
struct CompareEstimate {
  EstimateMethod method = EstimateMethod::adam;
  // Of adam; points along each axis of a grid; evaluations of the others.
  std::size_t steps = 2000;
  // Of adam: first and last.
  std::pair<double, double> rate = {1e-2, 1e-4};
  // R over the test inputs, as in the paper's pendulum; else over those of training too.
  bool on_test_alone = false;
};

// What the trials of a comparison hold out as test windows.
enum class Folds : std::uint8_t {
  // What the model file's split gives, with a seed of their own.
  none,
  // Leave-one-series-out: each series once, in groups where there are more series than trials.
  series,
  // Rolling origin: each series is cut in order into one part more than there are trials; trial k learns from
  // the parts up to k and is tested on the next.
  time,
};

// What is not set is taken from the model file.
struct CompareOptions {
  // Where trials are kept, and an earlier comparison is continued; empty: in memory.
  std::filesystem::path folder{};
  std::vector<TrainMode> modes = {TrainMode::adaptive, TrainMode::inductive, TrainMode::transductive};
  // Mode aphynity has none, and one row. With folds, none: that of the model file.
  std::vector<double> lambdas = {1e-3, 1e-2, 1e-1};
  // With folds by series no more than there are series.
  std::size_t trials = 20;
  Folds folds = Folds::none;
  // A name or an expression.
  std::optional<std::string> regularizer{};
  std::optional<std::size_t> epochs{};
  CompareEstimate estimate{};
  // Trial k splits, initialises, shuffles and draws with seed + k.
  std::uint64_t seed = 0;
  // Runs its trials alone, and keeps them in FOLDER/shards; `merge_shards` joins them.
  Shard shard{};
  // Once cancelled, trials under way are dropped and those finished kept.
  Execution execution{};
};

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

struct MeanAndError {
  double mean = 0;
  // NaN for fewer than two trials, as is the mean without any.
  double standard_error = 0;
};

// Errors of one observed variable over the trials.
struct ComparedOutput {
  std::string name;
  MeanAndError rmse, nrmse, r2;
};

// What is known about one mode at one λ, on the test windows.
struct ComparedRow {
  std::string mode;
  // None in mode aphynity.
  std::optional<double> lambda{};
  // Finished, without those that diverged.
  std::size_t trials = 0;
  MeanAndError loss, regularizer;
  // One per observed variable; empty where the trials were kept by an earlier version.
  std::vector<ComparedOutput> outputs{};
  // Of folds: mean log-likelihood of a measured value of the test windows, under [noise] or else under normal
  // errors as large as on the windows that were not learned from, or else on those that were.
  MeanAndError log_likelihood{kNotMeasured, kNotMeasured};
};

// A finished trial of a comparison over folds.
struct ComparedFold {
  std::string mode;
  std::optional<double> lambda{};
  // From 0; and what it is tested on: names of series, or the times of a part.
  std::size_t fold = 0;
  std::string tested_on;
  // NaN when it diverged.
  double loss = 0, regularizer = 0, log_likelihood = 0;
  std::vector<OutputError> outputs{};
};

struct Comparison {
  // Empty: the trials were kept in memory.
  std::filesystem::path folder;
  std::string model, regularizer;
  // By mode, then λ, in the order asked for.
  std::vector<ComparedRow> rows;
  // By mode, then λ, then fold; empty without folds.
  std::vector<ComparedFold> folds{};
  // Trials that an earlier call had finished.
  std::size_t n_kept = 0;
  // Trials that are not finished: the comparison was interrupted.
  std::size_t n_missing = 0;
  std::vector<std::string> warnings;
  // A sentence for the picture.
  std::string note;
};

// Runs the trials that the folder does not hold yet, sharing them out over the threads. Throws InputError for
// the user's mistakes (also: a folder whose trials are of another model, other data or other options) and
// std::system_error when the disk refuses.
Comparison compare(const Model& model, const Table& table, const CompareOptions& options = {});
// With the model's own data file.
Comparison compare(const Model& model, const CompareOptions& options = {});

std::string to_json(const Comparison& comparison);
// Writes comparison.csv, .svg and .png into a folder, and folds.csv, .svg and .png of folds; returns what was
// written.
std::vector<std::filesystem::path> write_comparison(const Comparison& comparison,
                                                    const std::filesystem::path& folder);

}  // namespace greybox
