#include "analysis/estimate/estimator_training.hpp"

#include <algorithm>
#include <cmath>

#include "core/denormals.hpp"
#include "core/limits.hpp"

namespace greybox {
namespace {

TrainSpec schedule_of(const EstimatorOptions& options) {
  TrainSpec schedule;
  schedule.epochs = options.epochs;
  schedule.rate_start = options.rate_start;
  schedule.rate_end = options.rate_end;
  return schedule;
}

}  // namespace

template <class T>
EstimatorTraining<T>::EstimatorTraining(const LoadedModel& loaded, std::span<const double> weights,
                                        ThreadPool& pool, const EstimatorOptions& options)
    : loaded_(loaded),
      options_(options),
      schedule_(schedule_of(options)),
      batches_(loaded.data->of_split(Split::train), {},
               {.batch = options.batch, .draws = 1, .seed = options.seed}),
      engine_(loaded.plan, loaded.data->windows(), pool,
              {.capacity = batches_.capacity(), .is_differentiable = true}),
      regularizer_(loaded.model, options.regularizer, batches_.capacity()),
      start_(weights.begin(), weights.end()),
      weights_(weights.size()),
      gradient_(weights.size()),
      first_moments_(weights.size()),
      second_moments_(weights.size()),
      grad_theta_(batches_.capacity() * loaded.spec->parameters.size()) {
  std::transform(weights.begin(), weights.end(), weights_.data(), [](double w) { return static_cast<T>(w); });
}

template <class T>
void EstimatorTraining<T>::keep_estimator_only() {
  for (const ModelTensor& item : engine_.networks().tensors())
    if (!loaded_.model->networks[item.network].is_estimator)
      std::fill_n(gradient_.data() + item.tensor.offset, item.tensor.size(), T{0});
}

template <class T>
bool EstimatorTraining<T>::step(const Batch& batch, double rate) {
  const Samples<T> samples{&loaded_.data->windows(), batch.windows, {}};
  engine_.set_weights(weights_.span());
  engine_.forward(samples);
  const std::span<const double> values = regularizer_.evaluate_with_seeds(engine_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (engine_.outcomes()[i] != Outcome::finished || !std::isfinite(values[i])) return false;
    loss_sum_ += engine_.squared_errors()[i] / engine_.n_compared()[i];
    regularizer_sum_ += values[i];
    n_samples_ += 1;
  }
  gradient_.fill(0);
  engine_.backward(samples, regularizer_.seeds(), gradient_.span(),
                   std::span(grad_theta_).first(values.size() * loaded_.spec->parameters.size()));
  keep_estimator_only();
  const AdamOptions adam{.weight_decay = 0,
                         .clip_value = loaded_.spec->train.clip_value,
                         .clip_norm = loaded_.spec->train.clip_norm};
  return adam_step<T>(adam, rate, n_updates_++,
                      {&weights_, &gradient_, &first_moments_, &second_moments_, 0});
}

template <class T>
EpochResult EstimatorTraining<T>::run_epoch() {
  const FlushToZeroScope flush_to_zero;
  const double rate = rate_of_epoch(schedule_, n_epochs_);
  batches_.begin_epoch(n_epochs_++);
  loss_sum_ = regularizer_sum_ = n_samples_ = 0;
  EpochResult result{
      .epoch = n_epochs_, .loss = kNaN, .regularizer = kNaN, .validation = {kNaN, kNaN}, .rate = rate};
  for (std::size_t k = 0; k < batches_.n_steps(); ++k)
    if (!step(batches_.step(k), rate)) return result;
  result.loss = loss_sum_ / n_samples_;
  result.regularizer = regularizer_sum_ / n_samples_;
  return result;
}

template <class T>
std::vector<double> EstimatorTraining<T>::weights() const {
  std::vector<double> trained = start_;
  for (const ModelTensor& item : engine_.networks().tensors())
    if (loaded_.model->networks[item.network].is_estimator)
      std::copy_n(weights_.data() + item.tensor.offset, item.tensor.size(),
                  trained.begin() + static_cast<std::ptrdiff_t>(item.tensor.offset));
  return trained;
}

template class EstimatorTraining<float>;
template class EstimatorTraining<double>;

}  // namespace greybox
