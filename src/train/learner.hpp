// One step of learning on a given batch: forward, backward, update.
#pragma once

#include <memory>

#include "core/random.hpp"
#include "model/loaded_model.hpp"
#include "train/adam.hpp"
#include "train/batch_objective.hpp"
#include "train/batches.hpp"
#include "train/divergence.hpp"
#include "train/kept_weights.hpp"
#include "train/noise_source.hpp"
#include "train/start_prior.hpp"
#include "train/tailoring.hpp"
#include "train/theta_source.hpp"
#include "train/train_state.hpp"

namespace greybox {

// Networks whose weights change; all others keep every bit.
enum class LearningNetworks : std::uint8_t { all_but_estimator, estimator };

struct LearnerOptions {
  // Samples in a batch at most; the objective has the same.
  std::size_t capacity = 1;
  LearningNetworks learning = LearningNetworks::all_but_estimator;
  // Of the draws of latents.
  std::uint64_t seed = 0;
};

// What trainings differ in, per step. None may be null but the last.
template <class T>
struct LearnerParts {
  std::shared_ptr<const ThetaSource<T>> theta_source;
  std::shared_ptr<BatchObjective<T>> objective;
  std::shared_ptr<UpdateRule<T>> update_rule;
  // Where the source's θ is only what that of each window starts from.
  std::shared_ptr<Tailoring<T>> tailoring = nullptr;
};

// Steady use allocates nothing. Sizes other than promised throw std::logic_error.
template <class T>
class Learner {
 public:
  Learner(const LoadedModel& loaded, LearnerParts<T> parts, ThreadPool& pool, const LearnerOptions& options);

  TrainState<T> make_state() const { return TrainState<T>(layout_, parts_.update_rule->n_curvature()); }
  const std::vector<ModelTensor>& tensors() const { return engine_.networks().tensors(); }
  const ThetaSource<T>& theta_source() const { return *parts_.theta_source; }
  const NoiseSource& noise_source() const { return noise_; }
  // The weights that do not learn.
  const KeptWeights<T>& frozen() const { return kept_; }

  // Of the steps that follow, instead of the whole windows; must outlive them.
  void look_at(const WindowData& windows) { windows_ = &windows; }
  // Of the steps that follow, instead of 1 and λ.
  void weigh(const ObjectiveWeights& weights) { parts_.objective->weigh(weights); }

  // Changes parameters and moments and counts the update; returns false and changes nothing when some number
  // is not finite. Another attempt, which must follow a step that failed, draws other θ for the samples to
  // blame.
  bool step(TrainState<T>& state, const Batch& batch, double rate, std::uint64_t attempt = 0);
  // Of the last step, before its update.
  const typename Objective<T>::Values& values() const { return values_; }
  void add_to(Counters& counters) const { parts_.objective->add_to(counters); }
  // After a step that returned false.
  NonFinite non_finite(const Batch& batch) const;

 private:
  // Where they are written.
  struct Gradients {
    std::span<T> weights, theta, draws;
  };

  void check(const TrainState<T>& state, const Batch& batch) const;
  void fill_theta(const TrainState<T>& state, std::uint64_t draw, std::uint64_t attempt, std::span<T> theta);
  bool is_finite() const;
  bool is_far_off(std::size_t sample) const;
  void blame_samples(std::size_t n, bool has_gradient);
  bool has_faulty_idle_terms(const Cotangents<T>& cotangents) const;
  void backward_without_terms(const TrainState<T>& state, const Samples<T>& samples,
                              const Cotangents<T>& cotangents, const Gradients& to);
  void add_start_prior(const TrainState<T>& state, const Batch& batch, const Cotangents<T>& cotangents);
  // False when the gradient is not finite.
  bool update(TrainState<T>& state, double rate);

  LoadedModel loaded_;
  const WindowData* windows_;
  LearnerParts<T> parts_;
  ThreadPool* pool_;
  NoiseSource noise_;
  Engine<T> engine_;
  // Of the model without its regularizers; made where it is needed.
  std::optional<Engine<T>> bare_;
  StartPrior<T> start_prior_;
  typename Objective<T>::Values values_;
  FlatLayout layout_;
  KeptWeights<T> kept_;
  AlignedBuffer<T> gradient_;
  Random random_;
  std::vector<T> theta_, grad_theta_, other_theta_, draws_;
  // Of the last step that failed: which samples are not finite; all, where it is none of them by itself.
  std::vector<std::uint8_t> is_to_blame_;
  // Mean squared errors beyond it count as not finite.
  double largest_error_;
};

extern template class Learner<float>;
extern template class Learner<double>;

}  // namespace greybox
