// One trial of a comparison: a training from its own seed, and what it gives on its own test windows.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare/folds.hpp"
#include "analysis/theta/point_estimate.hpp"
#include "greybox/compare.hpp"
#include "greybox/predict.hpp"
#include "model/loaded_model.hpp"
#include "train/tailoring.hpp"
#include "train/trainer.hpp"

namespace greybox {

struct TrialKey {
  TrainMode mode = TrainMode::adaptive;
  // None in mode aphynity.
  std::optional<double> lambda{};
  // From 0.
  std::size_t trial = 0;
  auto operator<=>(const TrialKey&) const = default;  // NOLINT(modernize-use-nullptr): mistaken about <=>
};

struct TrialResult {
  // NaN when the training or a test window diverged.
  double loss = 0, regularizer = 0;
  // One value per parameter, of windows that have their own the mean; NaN when the training diverged.
  std::vector<double> theta;
  // Empty when it diverged, or was kept by an earlier version.
  std::vector<OutputError> outputs{};
  // Of folds alone.
  double log_likelihood = kNotMeasured;
};

// Runs trials of one model; several threads may do so at once.
class TrialRunner {
 public:
  // Throws InputError when the model or its data cannot be compared in this way.
  TrialRunner(const Model& model, const Table& table, const CompareOptions& options);

  const ModelSpec& spec() const { return *spec_; }
  // Names of the observed variables.
  const std::vector<std::string>& outputs() const { return outputs_; }
  const DataTable& table() const { return *table_; }
  const std::string& regularizer() const { return regularizer_; }
  const PointOptions& estimate() const { return estimate_; }
  bool estimates_on_test_alone() const { return estimates_on_test_alone_; }
  std::uint64_t seed_of(const TrialKey& key) const { return seed_ + key.trial; }
  TrainerOptions options_of(const TrialKey& key) const;
  // What each trial holds out; empty without folds.
  const std::vector<Fold>& folds() const { return folds_; }

  // On the execution's threads, without reports. Throws Interruption when cancelled.
  TrialResult run(const TrialKey& key, const Execution& execution) const;

 private:
  // One θ for all windows, or windows × parameters.
  using ThetaOf = std::function<TailoredWindows(const std::vector<std::size_t>& windows)>;

  LoadedModel load(std::size_t trial) const;
  template <class T>
  TrialResult judge(const LoadedModel& loaded, const std::vector<double>& weights, const ThetaOf& theta_of,
                    ThreadPool& pool) const;
  template <class T>
  double log_likelihood(const LoadedModel& loaded, const std::vector<double>& weights,
                        const ThetaOf& theta_of, const Prediction& test, ThreadPool& pool) const;
  template <class T>
  TrialResult run_as(const TrialKey& key, const Execution& execution) const;

  // What all trials share.
  TrainOptions train_;
  PointOptions estimate_;
  bool estimates_on_test_alone_;
  std::uint64_t seed_;
  std::shared_ptr<const ModelSpec> spec_;
  std::vector<std::string> outputs_;
  // A name or an expression.
  std::string regularizer_;
  std::vector<Fold> folds_;
  // As read: each trial prepares and splits a copy of its own.
  std::shared_ptr<const DataTable> table_;
};

}  // namespace greybox
