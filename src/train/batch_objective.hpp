// What a training lowers on every batch: the part of a step that is exchanged as a whole.
#pragma once

#include <memory>

#include "model/objective.hpp"
#include "train/train_state.hpp"

namespace greybox {

enum class ObjectiveKind : std::uint8_t {
  loss_and_regularizer,  // L + λR, or as `weigh` says
  regularizer,           // R alone
  window_regularizers,   // R of each window on its own, summed: equation (6)
};

template <class T>
class BatchObjective {
 public:
  using Values = typename Objective<T>::Values;

  virtual ~BatchObjective() = default;

  // Of the batches that follow, instead of 1 and λ; has a meaning for `loss_and_regularizer` alone.
  virtual void weigh(const ObjectiveWeights&) {}
  // Of the engine's last forward.
  virtual Values evaluate(const Engine<T>& engine, const ObjectiveRanges& ranges) = 0;
  // After evaluate: what backward starts from. Valid until the next call.
  virtual const Cotangents<T>& cotangents(const Engine<T>& engine, const ObjectiveRanges& ranges) = 0;
  // Adds what was evaluated to the sums of the epoch.
  virtual void add_to(Counters& counters) const = 0;
};

struct BatchObjectiveOptions {
  ObjectiveKind kind = ObjectiveKind::loss_and_regularizer;
  double lambda = 0;
  // Which of the model's; all kinds but the first need one.
  std::optional<std::size_t> regularizer{};
  // Samples in a batch at most.
  std::size_t capacity = 1;
};

template <class T>
std::unique_ptr<BatchObjective<T>> make_objective(std::shared_ptr<const BoundModel> model,
                                                  const BatchObjectiveOptions& options);

}  // namespace greybox
