// `greybox train` and `greybox refit`: a model learned into a run folder, safe against interruption.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace greybox {

enum class TrainMode : std::uint8_t {
  adaptive,      // a fresh θ per sample: one training for every θ
  inductive,     // one θ, learned with the weights; R over the training inputs
  transductive,  // the same with R over training and test inputs
  refit,         // θ fixed; only the networks learn
  aphynity,      // one θ; the least R among models without loss (Yin et al. 2021)
};

// What is known at the end of an epoch. Validation values are NaN in epochs without validation.
struct EpochReport {
  std::size_t epoch = 0;  // from 1
  std::size_t epochs = 0;
  double loss = 0, regularizer = 0;
  double validation_loss = 0, validation_regularizer = 0;
  double rate = 0;
  double multiplier = 0;  // of the loss, in mode aphynity; NaN otherwise
  double samples_per_second = 0;
  double seconds_left = 0;
};

// What is not set is taken from the model file, or when resuming from the run.
struct TrainOptions {
  std::filesystem::path model;
  std::filesystem::path run;   // empty: runs/NAME-MODE-seedN
  std::filesystem::path data;  // empty: the model's own
  std::optional<TrainMode> mode;
  std::optional<double> lambda;
  std::optional<std::string> regularizer;  // a name or an expression
  std::optional<std::size_t> epochs, batch;
  std::optional<std::uint64_t> seed;
  std::optional<bool> single_precision;
  std::size_t n_threads = 0;  // 0: one per core
  bool resume = false;        // continue an interrupted run, to the same bits as without the interruption
  bool overwrite = false;     // start anew in a folder that holds a run
  std::string command_line;   // for the record
  std::function<void(const EpochReport&)> on_epoch;
  const std::atomic<bool>* cancel =
      nullptr;  // once true, the training ends after its step, with a checkpoint
};

enum class TrainOutcome : std::uint8_t { finished, stopped_early, interrupted, diverged };

struct TrainReport {
  std::filesystem::path run;
  TrainOutcome outcome = TrainOutcome::finished;
  std::string message;  // a sentence about an outcome that is not `finished`, or about a run finished before
  TrainMode mode = TrainMode::adaptive;
  std::size_t epochs = 0;               // done
  double loss = 0, regularizer = 0;     // of the last epoch
  std::map<std::string, double> theta;  // where the mode has one
  double multiplier =
      std::numeric_limits<double>::quiet_NaN();  // that mode aphynity has reached; NaN otherwise
  double seconds = 0;                            // of all sessions of this run
  std::vector<std::string> warnings;
  std::string json;
};

// Throws InputError for the user's mistakes (also: a folder that holds a run, a changed model, a foreign
// checkpoint) and std::system_error when the disk refuses.
TrainReport train(const TrainOptions& options);

struct RefitOptions {
  std::filesystem::path run;            // trained before
  std::map<std::string, double> theta;  // a value for every parameter
  TrainOptions train;                   // `model` and `mode` are the run's; an empty `run` means RUN-refit
};

// Fixes θ and trains the networks alone, from fresh weights, into a run folder of its own.
TrainReport refit(const RefitOptions& options);

std::string to_string(TrainMode mode);

}  // namespace greybox
