// A training with what belongs to it whoever runs it: cancellation, reports of epochs, checkpoints.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/shared_flag.hpp"
#include "train/checkpoint.hpp"
#include "train/trainer.hpp"
#include "train/training_store.hpp"

namespace greybox {

struct SessionOptions {
  TrainerOptions trainer;
  // Of the checkpoints.
  CheckpointIdentity identity{};
  std::function<void(const EpochReport&)> on_epoch{};
  // Once true in any process that shares the training, it ends after its step, with a checkpoint.
  const std::atomic<bool>* cancel = nullptr;
};

struct TrainingResult {
  TrainOutcome outcome = TrainOutcome::finished;
  // `epochs`: at most, as it stands.
  std::size_t epochs_done = 0, epochs = 0;
  // Of the last complete epoch; NaN before.
  double loss = kNaN, regularizer = kNaN;
  // Of the loss, in mode aphynity; NaN otherwise.
  double multiplier = kNaN;
  // Of all sessions.
  double seconds = 0;
  // Updates, and those for which θ was drawn again because a number was not finite.
  std::size_t n_updates = 0, n_redrawn = 0;
  // Of all networks, exactly; after a divergence those before the step.
  std::vector<double> weights{};
  // Where samples share one.
  std::vector<double> theta{};
  FittedPriors priors{};
  // Of the noise that is estimated, by observed variable.
  std::map<std::string, double> noise{};
  // What recipe "auto" chose; none for another.
  std::optional<RecipeRecord> recipe{};
  std::optional<Divergence> divergence{};
  // Of the last of the steps that were `n_redrawn`, since the training was begun or resumed.
  std::optional<Divergence> last_redrawn{};
  // Epochs over which windows grew without being told to.
  std::size_t grew_over = 0;
  // A step of the solver with which they would not have had to; 0: that would not help.
  double finer_step = 0;
};

// A sentence about an outcome; empty when the training finished.
std::string to_sentence(const TrainingResult& result, const TrainSpec& train);

// Whatever the precision.
class TrainingSession {
 public:
  virtual ~TrainingSession() = default;

  // Continues from where the checkpoint was made, to the same bits as without the stop. Throws InputError,
  // and changes nothing, when the checkpoint belongs to another training or is damaged.
  virtual void resume(const Checkpoint& checkpoint) = 0;
  // To the end, or until it is cancelled or diverges; the store then has a checkpoint of it.
  virtual TrainingResult run(TrainingStore& store) = 0;
};

template <class T>
class Session final : public TrainingSession {
 public:
  // What can be refused about the options is refused here.
  Session(const LoadedModel& loaded, SessionOptions options, ThreadPool& pool);

  void resume(const Checkpoint& checkpoint) override;
  TrainingResult run(TrainingStore& store) override;

 private:
  using Clock = std::chrono::steady_clock;

  TrainOutcome learn(TrainingStore& store);
  bool is_cancelled();
  void save(TrainingStore& store);
  void report(const EpochResult& result) const;
  TrainingResult result(TrainOutcome outcome) const;
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // With starts for the windows that nothing was learned from.
  std::vector<double> complete_weights(TrainOutcome outcome) const;

  LoadedModel loaded_;
  ThreadPool* pool_;
  SessionOptions options_;
  Trainer<T> trainer_;
  SharedFlag cancelled_;
  Clock::time_point start_, last_save_;
  // At the start of this session.
  double first_epoch_ = 0, seconds_before_ = 0;
};

extern template class Session<float>;
extern template class Session<double>;

// In the precision of the options.
std::unique_ptr<TrainingSession> make_session(const LoadedModel& loaded, SessionOptions options,
                                              ThreadPool& pool);

}  // namespace greybox
