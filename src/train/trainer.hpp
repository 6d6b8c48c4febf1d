// The one training loop, step by step: of models in all modes, and of estimators. The session that runs it
// decides when to report and save.
#pragma once

#include <optional>

#include "greybox/train.hpp"
#include "train/auto_recipe.hpp"
#include "train/learner.hpp"
#include "train/validator.hpp"
#include "train/window_growth.hpp"

namespace greybox {

struct TrainerOptions {
  TrainMode mode = TrainMode::adaptive;
  // Its regularizer is one of the model's, by name.
  TrainSpec train;
  std::uint64_t seed = 0;
  // Where θ is fixed: its values.
  std::vector<double> theta{};
  // None: as the mode says.
  std::optional<ThetaOrigin> theta_origin{};
  ObjectiveKind objective = ObjectiveKind::loss_and_regularizer;
  LearningNetworks learning = LearningNetworks::all_but_estimator;
  // Of all networks; empty: drawn by the seed.
  std::vector<double> start_weights{};
};

ThetaOrigin theta_origin_of(const TrainerOptions& options);

// The same with what recipe "auto" chooses by the data.
TrainerOptions with_recipe(TrainerOptions options, const LoadedModel& loaded);

struct EpochResult {
  // From 1.
  std::size_t epoch = 0;
  double loss = 0, regularizer = 0;
  // NaN in epochs without one.
  Validation validation;
  double rate = 0;
  // Of the loss in this epoch; NaN but in mode aphynity.
  double multiplier = kNaN;
};

// Rates fall exponentially, once per epoch, and reach `rate_end` after the last.
double rate_of_epoch(const TrainSpec& train, std::size_t epoch);

// The result is a function of the data, the options and nothing else: not of threads, nor of stops on the
// way.
template <class T>
class Trainer {
 public:
  // Throws InputError when the data have no training windows, or lack those that the options need, or when a
  // batch would be too large.
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

  // After a step that returned false.
  Divergence divergence() const;
  // Of the last step since this object was made that was learned from in another way than drawn.
  std::optional<Divergence> last_redrawn() const;
  std::size_t n_samples_per_epoch() const { return n_samples_per_epoch_; }
  // At most, as it stands: recipe "auto" may add some.
  std::size_t n_epochs() const {
    return recipe_ ? recipe_->most_epochs(state_.counters) : options_.train.epochs;
  }
  CounterLimits limits() const;
  // Epochs over which windows grow; 0: they do not.
  std::size_t grows_over() const { return growth_->n_epochs(); }
  // Where they grow because the solver's steps are too long: one that is not; else 0.
  double finer_step() const { return finer_step_; }
  const std::vector<ModelTensor>& tensors() const { return learner_.tensors(); }
  TrainState<T>& state() { return state_; }
  const TrainState<T>& state() const { return state_; }
  // After a change of the state from outside (a checkpoint).
  void continue_from_state();

  // What the training is for: the last parameters, or with `keep_best` those of the best validation.
  std::span<const T> final_weights() const;
  // The same as exact numbers; what did not learn has every bit that it was started with.
  std::vector<double> exact_final_weights() const;
  // Empty where samples do not share one.
  std::vector<double> final_theta() const;
  // Of the noise that is estimated, by observed variable.
  std::map<std::string, double> final_noise() const;
  FittedPriors fitted_priors() const;
  // What recipe "auto" chose so far; none for another.
  std::optional<RecipeRecord> recipe() const;

 private:
  bool has_multiplier() const { return options_.mode == TrainMode::aphynity; }
  bool needs_validation() const { return options_.train.patience > 0 || options_.train.keep_best; }
  void start(ThreadPool& pool);
  double rate_now() const;
  std::size_t epochs_of_growth(ThreadPool& pool);
  std::uint64_t best_start() const;
  bool step_with_other_theta(double rate);
  std::size_t n_epochs_done() const { return static_cast<std::size_t>(state_.counters.epoch); }
  std::size_t n_steps_done() const { return static_cast<std::size_t>(state_.counters.step); }
  const AlignedBuffer<T>& final_parameters() const;
  std::span<const T> final_learned() const;
  Validation validate();
  double to_be_lowered(const Validation& validation) const;
  Divergence divergence_by(NonFinite cause) const;
  void search_site(Divergence& divergence) const;

  LoadedModel loaded_;
  TrainerOptions options_;
  std::shared_ptr<const ThetaSource<T>> theta_source_;
  Batches batches_;
  Learner<T> learner_;
  // None without windows, or when nobody asks.
  std::optional<Validator<T>> validator_;
  TrainState<T> state_;
  // None: recipe "paper".
  std::optional<AutoRecipe<T>> recipe_;
  // From the start on.
  std::optional<WindowGrowth> growth_;
  double finer_step_ = 0;
  Batch batch_;
  std::optional<Divergence> last_redrawn_;
  std::size_t n_samples_per_epoch_ = 0;
};

extern template class Trainer<float>;
extern template class Trainer<double>;

}  // namespace greybox
