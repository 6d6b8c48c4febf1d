// One step of learning on a given batch: forward, backward, AdamW.
#pragma once

#include <memory>
#include <string>

#include "model/loaded_model.hpp"
#include "model/objective.hpp"
#include "train/adam.hpp"
#include "train/batches.hpp"
#include "train/kept_weights.hpp"
#include "train/theta_source.hpp"
#include "train/train_state.hpp"

namespace greybox {

struct LearnerOptions {
  std::size_t capacity = 1;  // samples in a batch at most
  ObjectiveOptions objective;
  AdamOptions adam;
  bool fits_estimator = false;  // θ comes from the model's estimator, whose networks alone learn
};

// Steady use allocates nothing.
template <class T>
class Learner {
 public:
  Learner(const LoadedModel& loaded, std::shared_ptr<const ThetaSource<T>> theta_source, ThreadPool& pool,
          const LearnerOptions& options);

  TrainState<T> make_state() const { return TrainState<T>(layout_); }
  const std::vector<ModelTensor>& tensors() const { return engine_.networks().tensors(); }
  const ThetaSource<T>& theta_source() const { return *theta_source_; }

  // Of the steps that follow, instead of 1 and λ.
  void weigh(const ObjectiveWeights& weights) { objective_.weigh(weights); }

  // Changes parameters and moments and counts the update; returns false and changes nothing when some number
  // is not finite.
  bool step(TrainState<T>& state, const Batch& batch, double rate);
  // Of the last step, before its update.
  const typename Objective<T>::Values& values() const { return values_; }
  // After a step that returned false: what was not finite, for which window and θ.
  std::string trouble(const Batch& batch) const;

 private:
  bool is_finite() const;
  std::string theta_text(std::size_t sample) const;

  LoadedModel loaded_;
  std::shared_ptr<const ThetaSource<T>> theta_source_;
  AdamOptions adam_;
  Engine<T> engine_;
  Objective<T> objective_;
  typename Objective<T>::Values values_;
  FlatLayout layout_;
  KeptWeights<T> kept_;
  bool fits_estimator_;
  AlignedBuffer<T> gradient_;
  std::vector<T> theta_, grad_theta_;
};

extern template class Learner<float>;
extern template class Learner<double>;

}  // namespace greybox
