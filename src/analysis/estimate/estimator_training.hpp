// Trains the networks of [estimator] on Σ_x R_x(θ = h(x)), all others frozen: equation (6).
#pragma once

#include "analysis/estimate/window_regularizer.hpp"
#include "core/thread_pool.hpp"
#include "model/loaded_model.hpp"
#include "train/trainer.hpp"

namespace greybox {

struct EstimatorOptions {
  std::size_t regularizer = 0;  // place among the model's
  std::size_t epochs = 50;
  std::size_t batch = 1;
  double rate_start = 1e-4, rate_end = 1e-4;
  std::uint64_t seed = 0;
};

// On the training windows, in shuffled batches, with Adam: clipped as in training, without decay.
template <class T>
class EstimatorTraining {
 public:
  EstimatorTraining(const LoadedModel& loaded, std::span<const double> weights, ThreadPool& pool,
                    const EstimatorOptions& options);

  // Means of L and R over the epoch, each step before its update; NaN as soon as a number is not finite.
  EpochResult run_epoch();
  std::vector<double> weights() const;

 private:
  bool step(const Batch& batch, double rate);
  void keep_estimator_only();

  LoadedModel loaded_;
  EstimatorOptions options_;
  TrainSpec schedule_;
  Batches batches_;
  Engine<T> engine_;
  WindowRegularizer<T> regularizer_;
  std::vector<double> start_;  // weights as given: what is frozen keeps every bit
  AlignedBuffer<T> weights_, gradient_, first_moments_, second_moments_;
  std::vector<T> grad_theta_;
  std::size_t n_epochs_ = 0, n_updates_ = 0;
  double loss_sum_ = 0, regularizer_sum_ = 0, n_samples_ = 0;
};

extern template class EstimatorTraining<float>;
extern template class EstimatorTraining<double>;

}  // namespace greybox
