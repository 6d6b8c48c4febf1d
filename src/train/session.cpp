#include "train/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "greybox/counted.hpp"
#include "train/start_fit.hpp"

namespace greybox {

template <class T>
Session<T>::Session(const LoadedModel& loaded, SessionOptions options, ThreadPool& pool)
    : loaded_(loaded),
      pool_(&pool),
      options_(std::move(options)),
      trainer_(loaded, options_.trainer = with_recipe(options_.trainer, loaded), pool),
      cancelled_(pool.others()),
      start_(Clock::now()),
      last_save_(start_) {}

template <class T>
void Session<T>::resume(const Checkpoint& checkpoint) {
  restore(checkpoint, {options_.identity, trainer_.limits()}, trainer_.state());
  trainer_.continue_from_state();
}

template <class T>
TrainingResult Session<T>::run(TrainingStore& store) {
  first_epoch_ = trainer_.state().counters.epoch;
  seconds_before_ = trainer_.state().counters.seconds;
  store.begin(static_cast<std::size_t>(first_epoch_));
  const TrainOutcome outcome = learn(store);
  save(store);
  return result(outcome);
}

template <class T>
TrainOutcome Session<T>::learn(TrainingStore& store) {
  using Seconds = std::chrono::duration<double>;
  const Seconds interval(options_.trainer.train.checkpoint_seconds);
  // The first comes soon: with it others can look at a training that goes on.
  Seconds wait = std::isfinite(interval.count()) ? std::min(interval, Seconds(1)) : interval;
  // A step that others leave has changed nothing yet: what was learned before it is kept.
  const auto keeping = [&](const auto& work) {
    try {
      return work();
    } catch (const LostProcesses&) {
      save(store);
      throw;
    }
  };
  while (!trainer_.is_done()) {
    if (keeping([&] { return is_cancelled(); })) return TrainOutcome::interrupted;
    if (!keeping([&] { return trainer_.step(); })) return TrainOutcome::diverged;
    if (trainer_.epoch_is_complete()) {
      const EpochResult epoch = trainer_.end_epoch();
      if (has_row(epoch.epoch) || trainer_.is_done()) store.add(epoch);
      report(epoch);
    }
    if (Clock::now() - last_save_ > wait) {
      save(store);
      wait = interval;
    }
  }
  return trainer_.has_stopped_early() ? TrainOutcome::stopped_early : TrainOutcome::finished;
}

template <class T>
bool Session<T>::is_cancelled() {
  return cancelled_.is_raised(options_.cancel != nullptr && *options_.cancel);
}

template <class T>
void Session<T>::save(TrainingStore& store) {
  trainer_.state().counters.seconds = seconds_before_ + elapsed();
  store.save(make_checkpoint(options_.identity, trainer_.state()));
  last_save_ = Clock::now();
}

template <class T>
void Session<T>::report(const EpochResult& result) const {
  if (!options_.on_epoch) return;
  const std::size_t epochs = trainer_.n_epochs();
  const double seconds = elapsed(), n_done = static_cast<double>(result.epoch) - first_epoch_;
  options_.on_epoch(
      {.epoch = result.epoch,
       .epochs = epochs,
       .loss = result.loss,
       .regularizer = result.regularizer,
       .validation_loss = result.validation.loss,
       .validation_regularizer = result.validation.regularizer,
       .rate = result.rate,
       .multiplier = result.multiplier,
       .samples_per_second = n_done * static_cast<double>(trainer_.n_samples_per_epoch()) / seconds,
       .seconds_left = seconds / n_done * static_cast<double>(epochs - result.epoch)});
}

template <class T>
std::vector<double> Session<T>::complete_weights(TrainOutcome outcome) const {
  std::vector<double> weights = trainer_.exact_final_weights();
  const bool is_over = outcome == TrainOutcome::finished || outcome == TrainOutcome::stopped_early;
  if (!is_over || loaded_.model->starts.empty() || options_.trainer.learning == LearningNetworks::estimator)
    return weights;
  const std::vector<double>& fixed = options_.trainer.theta;
  const StartKnowledge known{.trained = loaded_.data->of_split(Split::train),
                             .theta = fixed.empty() ? trainer_.final_theta() : fixed,
                             .noise = trainer_.final_noise(),
                             .variance = trainer_.state().counters.last_loss};
  weights = complete_starts(loaded_, std::move(weights), known, *pool_);
  // As the file of weights will have them.
  const std::size_t first = NetworkSet<T>(*loaded_.model).n_network_weights();
  for (std::size_t i = first; i < weights.size(); ++i)
    weights[i] = static_cast<double>(static_cast<T>(weights[i]));
  return weights;
}

template <class T>
TrainingResult Session<T>::result(TrainOutcome outcome) const {
  const Counters& counters = trainer_.state().counters;
  TrainingResult result{.outcome = outcome,
                        .epochs_done = static_cast<std::size_t>(counters.epoch),
                        .epochs = trainer_.n_epochs(),
                        .loss = counters.last_loss,
                        .regularizer = counters.last_regularizer,
                        .multiplier = counters.multiplier,
                        .seconds = counters.seconds,
                        .n_updates = static_cast<std::size_t>(counters.n_updates),
                        .n_redrawn = static_cast<std::size_t>(counters.n_redrawn),
                        .weights = complete_weights(outcome),
                        .theta = trainer_.final_theta(),
                        .priors = trainer_.fitted_priors(),
                        .noise = trainer_.final_noise(),
                        .recipe = trainer_.recipe()};
  if (!options_.trainer.train.grow) result.grew_over = trainer_.grows_over();
  result.finer_step = trainer_.finer_step();
  if (outcome == TrainOutcome::diverged) result.divergence = trainer_.divergence();
  if (counters.n_redrawn > 0) result.last_redrawn = trainer_.last_redrawn();
  return result;
}

std::string to_sentence(const TrainingResult& result, const TrainSpec& train) {
  switch (result.outcome) {
    case TrainOutcome::running:
    case TrainOutcome::finished:
      break;
    case TrainOutcome::stopped_early:
      return fmt::format("stopped after epoch {}: {} without improvement", result.epochs_done,
                         counted(train.patience, "validation"));
    case TrainOutcome::interrupted:
      return fmt::format("interrupted after {} of {}", result.epochs_done, counted(result.epochs, "epoch"));
    case TrainOutcome::diverged:
      return to_sentence(*result.divergence);
  }
  return {};
}

std::unique_ptr<TrainingSession> make_session(const LoadedModel& loaded, SessionOptions options,
                                              ThreadPool& pool) {
  if (options.trainer.train.precision == Precision::single_)
    return std::make_unique<Session<float>>(loaded, std::move(options), pool);
  return std::make_unique<Session<double>>(loaded, std::move(options), pool);
}

template class Session<float>;
template class Session<double>;

}  // namespace greybox
