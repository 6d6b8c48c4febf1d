// The one training loop of all modes, step by step: what runs it (a command, a comparison) decides when to
// look and save.
#pragma once

#include <string>

#include "train/learner.hpp"
#include "train/validator.hpp"

namespace greybox {

struct TrainerOptions {
  TrainMode mode = TrainMode::adaptive;
  TrainSpec train;  // its regularizer is one of the model's, by name
  std::uint64_t seed = 0;
  std::vector<double> theta;  // mode refit: the fixed values
};

struct EpochResult {
  std::size_t epoch = 0;  // from 1
  double loss = 0, regularizer = 0;
  Validation validation;  // NaN in epochs without one
  double rate = 0;
  double multiplier = 0;  // of the loss in this epoch; NaN but in mode aphynity
};

// Rates fall exponentially, once per epoch, and reach `rate_end` after the last.
double rate_of_epoch(const TrainSpec& train, std::size_t epoch);

// The result is a function of the data, the options and nothing else: not of threads, nor of stops on the
// way.
template <class T>
class Trainer {
 public:
  // Throws InputError when the data have no training windows, or lack those that the options need.
  Trainer(const LoadedModel& loaded, const TrainerOptions& options, ThreadPool& pool);

  bool is_done() const;
  bool has_stopped_early() const;
  // False when the training diverged: the parameters are then those before the step, and `divergence` says
  // what happened.
  bool step();
  bool epoch_is_complete() const { return n_steps_done() == batches_.n_steps(); }
  // After the last step of an epoch: validates when it is time.
  EpochResult end_epoch();
  // The rest of the current epoch; false when the training diverged.
  bool run_epoch(EpochResult& result);

  std::string divergence() const;
  std::size_t n_samples_per_epoch() const { return n_samples_per_epoch_; }
  const std::vector<ModelTensor>& tensors() const { return learner_.tensors(); }
  TrainState<T>& state() { return state_; }
  const TrainState<T>& state() const { return state_; }
  // After a change of the state from outside (a checkpoint).
  void continue_from_state();

  // What the training is for: the last parameters, or with `keep_best` those of the best validation.
  std::span<const T> final_weights() const;
  std::vector<double> final_theta() const;  // empty in adaptive mode
  FittedPriors fitted_priors() const;

 private:
  std::size_t n_epochs_done() const { return static_cast<std::size_t>(state_.progress.epoch); }
  std::size_t n_steps_done() const { return static_cast<std::size_t>(state_.progress.step); }
  const AlignedBuffer<T>& final_parameters() const;
  std::span<const T> final_learned() const;
  Validation validate();
  double to_be_lowered(const Validation& validation) const;

  LoadedModel loaded_;
  TrainerOptions options_;
  std::shared_ptr<const ThetaSource<T>> theta_source_;
  Batches batches_;
  Learner<T> learner_;
  Validator<T> validator_;
  TrainState<T> state_;
  Batch batch_;
  std::size_t n_samples_per_epoch_ = 0;
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace greybox
