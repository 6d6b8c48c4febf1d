// Theories side by side: models of the same data, judged on windows that none of them learned from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "greybox/fit.hpp"
#include "greybox/model.hpp"
#include "greybox/run.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

struct TheoriesOptions {
  // A name of every model file or an expression; by default what each was trained with.
  std::optional<std::string> regularizer{};
  // Networks behind the verdicts, as for landscapes.
  std::size_t seeds = 1;
  Execution execution{};
};

// How models are trained that are not runs yet.
struct TheoryTraining {
  // Runs are kept in FOLDER/NAME, and finished or continued there; empty: in memory.
  std::filesystem::path folder{};
  std::optional<TrainMode> mode{};
  std::optional<std::size_t> epochs{};
  std::uint64_t seed = 0;
};

// One theory on the windows that all of them held out.
struct ComparedTheory {
  std::string name;
  // Empty: it lives in memory alone.
  std::filesystem::path run;
  // Where it was judged: learned with the weights, or where its regularizer is lowest on the validation
  // windows.
  Theta theta;
  std::string regularizer;
  std::vector<OutputError> outputs;
  // Mean log-likelihood of a measured value, under normal errors as large as on the validation windows.
  double log_likelihood = std::numeric_limits<double>::quiet_NaN();
  // How much lower it is than that of the best theory, and its standard error over windows.
  double behind_best = std::numeric_limits<double>::quiet_NaN();
  double behind_best_error = std::numeric_limits<double>::quiet_NaN();
  // Size of the correction: mean |f_D|² over mean |f_T|² + mean |f_D|².
  double network_share = std::numeric_limits<double>::quiet_NaN();
  // Under `regularizer`.
  Verdicts verdicts;
};

struct TheoryComparison {
  // In the order asked for.
  std::vector<ComparedTheory> theories;
  std::string split;
  std::size_t n_windows = 0;
  std::vector<std::string> warnings;
};

// Runs of different models on the same data. Throws InputError for the user's mistakes (other data, nothing
// observed in common, no window that all held out), Interruption when cancelled.
TheoryComparison compare_theories(const std::vector<Run>& runs, const TheoriesOptions& options = {});

// Trains every model on its own data file, or all on `table`. A training that is interrupted is continued by
// the same call.
std::vector<Run> train_theories(const std::vector<Model>& models, const std::optional<Table>& table,
                                const TheoryTraining& training, const Execution& execution);

std::string to_json(const TheoryComparison& comparison);
// Writes theories.csv, .json, .svg and .png into the folder; returns what was written.
std::vector<std::filesystem::path> write_theories(const TheoryComparison& comparison,
                                                  const std::filesystem::path& folder);

}  // namespace greybox
