// What a run says about itself: how it was trained, how that ended, and which data were used for what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "greybox/fit.hpp"
#include "greybox/recipe.hpp"
#include "greybox/scales.hpp"

namespace greybox {

enum class TrainMode : std::uint8_t {
  // A fresh θ per sample: one training for every θ.
  adaptive,
  // One θ, learned with the weights; R over the training inputs.
  inductive,
  // The same with R over training and test inputs.
  transductive,
  // θ fixed; only the networks learn.
  refit,
  // One θ; the least R among models without loss (Yin et al. 2021).
  aphynity,
  // θ of every window by a few steps down R from a common start (Finn et al. 2017, Alet et al. 2021).
  tailored,
};

std::string to_string(TrainMode mode);
// Throws InputError for a name that is none.
TrainMode train_mode(const std::string& name);

enum class TrainOutcome : std::uint8_t { running, finished, stopped_early, interrupted, diverged };

std::string to_string(TrainOutcome outcome);

// One use of a part of the data. Choosing a regularizer and estimating with it on the same part is what this
// makes visible.
struct LedgerEntry {
  // "train", "landscape", …
  std::string command;
  // "train", "validation", "test", several joined by +, or a file.
  std::string split;
  std::string purpose;
  // Empty when none took part.
  std::string regularizer;
};

// A file as it was when the training began; `file` is empty for what was given in memory.
struct RecordedFile {
  std::string file, sha256;
};

struct AphynityRecord {
  double lambda0 = 1, tau = 1;
  std::size_t every = 1;
};

struct TailoringRecord {
  std::size_t steps = 1;
  double rate = 0;
  bool second_order = false;
};

// Everything that the result of a training depends on beside the model and the data.
struct RecordedOptions {
  TrainMode mode = TrainMode::adaptive;
  Recipe recipe = Recipe::paper;
  std::string regularizer;
  // NaN in mode aphynity, which has none.
  double lambda = 0;
  std::size_t epochs = 0, batch = 0, draws = 1;
  // First and last; of recipe "auto", highest and last.
  std::pair<double, double> rate;
  double weight_decay = 0;
  // Infinite: no clipping.
  double clip_value = std::numeric_limits<double>::infinity(),
         clip_norm = std::numeric_limits<double>::infinity();
  std::size_t validate_every = 0, patience = 0;
  bool keep_best = false;
  bool single_precision = true;
  std::uint64_t seed = 0;
  // The fixed values of mode refit.
  std::map<std::string, double> theta;
  std::optional<AphynityRecord> aphynity;
  std::optional<TailoringRecord> tailored{};
};

// How the networks of [estimator] were trained on a regularizer (equation 6).
struct AmortisedRecord {
  std::string regularizer;
  std::size_t epochs = 0, batch = 0;
  std::pair<double, double> rate;
  std::uint64_t seed = 0;
  bool single_precision = false;
  // The run it came from; empty for one that lived in memory.
  std::string from;
};

// How the networks of [estimator] were fitted to windows that the model made itself (expert augmentation).
struct AugmentedRecord {
  std::string from;
  std::size_t windows = 0, epochs = 0;
  std::uint64_t seed = 0;
  // Where θ was drawn, and the θ that the network was held at.
  std::map<std::string, std::pair<double, double>> theta;
  std::map<std::string, double> at;
};

struct RunRecord {
  // Of the model.
  std::string name;
  // Of greybox, and of the compiler that built it.
  std::string version, compiler;
  // The command line, where there was one, and the time of the start (UTC, ISO 8601).
  std::string command, started;
  RecordedOptions options;
  // The data's checksum is of theirs and those of inputs with tables of their own.
  RecordedFile model, data;
  // Inputs that did not come from the rows of the data, by name.
  std::map<std::string, RecordedFile> inputs;
  // Those that the weights were trained with; empty for none.
  Scales scales;
  // Of the solver, where the model file leaves it to the data; empty otherwise.
  std::string method;
  TrainOutcome outcome = TrainOutcome::running;
  std::size_t epochs_done = 0;
  double seconds = 0;
  // Of the last epoch; NaN before the first is complete.
  double loss = std::numeric_limits<double>::quiet_NaN();
  double regularizer = std::numeric_limits<double>::quiet_NaN();
  // Of the loss, in mode aphynity; NaN otherwise.
  double multiplier = std::numeric_limits<double>::quiet_NaN();
  // Where the mode has one θ, or one that those of windows start from; empty otherwise.
  std::map<std::string, double> theta;
  // Priors with learned parameters: by name of the parameter, then of the prior's own.
  std::map<std::string, std::map<std::string, double>> priors;
  // What recipe "auto" chose; none for another.
  std::optional<RecipeRecord> recipe;
  // None before the training has ended, and for runs of versions that did not judge.
  std::optional<FitJudgement> fit;
  std::optional<AmortisedRecord> amortised;
  std::optional<AugmentedRecord> augmented;
  std::vector<LedgerEntry> ledger;

  // Whether there is nothing left to train.
  bool is_finished() const {
    return outcome == TrainOutcome::finished || outcome == TrainOutcome::stopped_early;
  }
};

// One JSON object, as in run.json.
std::string to_json(const RunRecord& record);

}  // namespace greybox
