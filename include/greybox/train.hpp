// Training: from a model and data to a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "greybox/run.hpp"

namespace greybox {

// What is not set is taken from the model file, or when resuming from the run.
struct TrainOptions {
  std::optional<TrainMode> mode{};
  std::optional<Recipe> recipe{};
  std::optional<double> lambda{};
  // A name of the model file, or an expression.
  std::optional<std::string> regularizer{};
  std::optional<std::size_t> epochs{}, batch{};
  std::optional<std::uint64_t> seed{};
  std::optional<bool> single_precision{};
  // Mode refit: a value for every parameter.
  Theta theta{};
  // Where checkpoints, curves and the result are kept while training; empty: in memory.
  std::filesystem::path folder{};
  // Continue an interrupted run of this folder, to the same bits as without the interruption; starts one if
  // there is none.
  bool resume = false;
  // Start anew in a folder that holds a run.
  bool overwrite = false;
  // For the record.
  std::string command{};
  Execution execution{};
};

// Learns. That a training was interrupted or diverged is in the run's `outcome` and `message`. Throws
// InputError for the user's mistakes (also: a folder that holds a run, a changed model, a foreign checkpoint)
// and std::system_error when the disk refuses.
Run train(const Model& model, const Table& table, const TrainOptions& options = {});
Run train(const Dataset& dataset, const TrainOptions& options = {});
// With the model's own data file.
Run train(const Model& model, const TrainOptions& options = {});

// Continues an interrupted training, in memory or in its folder.
Run resume(const Run& run, const Execution& execution = {});

// Fixes θ and trains the networks alone, from fresh weights; what is not set is as in the run's own training.
Run refit(const Run& run, const Theta& theta, const TrainOptions& options = {});
// From other data.
Run refit(const Run& run, const Theta& theta, const Table& table, const TrainOptions& options = {});

}  // namespace greybox
