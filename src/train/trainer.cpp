#include "train/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/denormals.hpp"
#include "model/weights.hpp"
#include "train/multiplier.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> windows_of(const LoadedModel& loaded, Split split, const char* name,
                                    const char* reason) {
  std::vector<std::size_t> windows = loaded.data->of_split(split);
  if (windows.empty())
    throw InputError(Diagnostic{.file = loaded.data->table().file,
                                .message = fmt::format("the {} split has no windows: {}", name, reason),
                                .help = fmt::format("give [data] split a fraction `{}`", name)});
  return windows;
}

Batches make_batches(const LoadedModel& loaded, const TrainerOptions& options) {
  std::vector<std::size_t> train =
      windows_of(loaded, Split::train, "train", "there is nothing to learn from");
  std::vector<std::size_t> regularized;
  if (options.mode == TrainMode::transductive)
    regularized = windows_of(loaded, Split::test, "test", "transductive learning regularizes over it");
  const bool has_draws = options.mode == TrainMode::adaptive;
  return {std::move(train),
          std::move(regularized),
          {.batch = options.train.batch, .draws = has_draws ? options.train.draws : 1, .seed = options.seed}};
}

std::optional<std::size_t> regularizer_of(const LoadedModel& loaded, const TrainSpec& train) {
  if (train.regularizer.empty()) return std::nullopt;
  return static_cast<std::size_t>(loaded.model->find_regularizer(train.regularizer) -
                                  loaded.model->regularizers.data());
}

LearnerOptions learner_options(const LoadedModel& loaded, const TrainerOptions& options,
                               std::size_t capacity) {
  const TrainSpec& train = options.train;
  return {.capacity = capacity,
          .objective = {.lambda = train.lambda, .regularizer = regularizer_of(loaded, train)},
          .adam = {train.weight_decay, train.clip_value, train.clip_norm}};
}

}  // namespace

double rate_of_epoch(const TrainSpec& train, std::size_t epoch) {
  const double fraction = static_cast<double>(epoch) / static_cast<double>(train.epochs);
  return train.rate_start * std::pow(train.rate_end / train.rate_start, fraction);
}

template <class T>
Trainer<T>::Trainer(const LoadedModel& loaded, const TrainerOptions& options, ThreadPool& pool)
    : loaded_(loaded),
      options_(options),
      theta_source_(make_theta_source<T>(options.mode, loaded.spec->parameters, options.seed, options.theta)),
      batches_(make_batches(loaded, options)),
      learner_(loaded, theta_source_, pool, learner_options(loaded, options, batches_.capacity())),
      validator_(loaded, theta_source_, pool, regularizer_of(loaded, options.train)),
      state_(learner_.make_state()) {
  if (!validator_.has_windows() && (options.train.patience > 0 || options.train.keep_best))
    windows_of(loaded, Split::validation, "validation", "`patience` and `keep_best` need it");
  const std::vector<double> weights = initial_weights(tensors(), options.seed);
  std::transform(weights.begin(), weights.end(), state_.parameters.data(),
                 [](double w) { return static_cast<T>(w); });
  theta_source_->start(state_.learned());
  if (options.mode == TrainMode::aphynity) state_.progress.multiplier = options.train.aphynity.lambda0;
  for (std::size_t step = 0; step < batches_.n_steps(); ++step)
    n_samples_per_epoch_ += batches_.step(step).windows.size();
  continue_from_state();
}

template <class T>
void Trainer<T>::continue_from_state() {
  batches_.begin_epoch(n_epochs_done());
  if (options_.mode == TrainMode::aphynity) learner_.weigh(constrained_weights(state_.progress.multiplier));
}

template <class T>
bool Trainer<T>::is_done() const {
  return n_epochs_done() >= options_.train.epochs || has_stopped_early();
}

template <class T>
bool Trainer<T>::has_stopped_early() const {
  const std::size_t patience = options_.train.patience;
  return patience > 0 && state_.progress.n_without_improvement >= static_cast<double>(patience);
}

template <class T>
bool Trainer<T>::step() {
  batch_ = batches_.step(n_steps_done());
  if (!learner_.step(state_, batch_, rate_of_epoch(options_.train, n_epochs_done()))) return false;
  const auto n = static_cast<double>(batch_.ranges.n_loss);
  Progress& progress = state_.progress;
  progress.step += 1;
  progress.loss_sum += n * learner_.values().loss;
  progress.regularizer_sum += n * learner_.values().regularizer;
  progress.n_samples += n;
  return true;
}

template <class T>
EpochResult Trainer<T>::end_epoch() {
  Progress& progress = state_.progress;
  const std::size_t epoch = n_epochs_done() + 1;
  progress.last_loss = progress.loss_sum / progress.n_samples;
  progress.last_regularizer = progress.regularizer_sum / progress.n_samples;
  progress.loss_sum = progress.regularizer_sum = progress.n_samples = progress.step = 0;
  progress.epoch += 1;
  const double multiplier = progress.multiplier;
  if (options_.mode == TrainMode::aphynity)
    progress.multiplier = next_multiplier(options_.train.aphynity, multiplier, epoch, progress.last_loss);
  continue_from_state();

  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::size_t every = options_.train.validate_every;
  const bool is_time = every > 0 && (epoch % every == 0 || epoch == options_.train.epochs);
  return {.epoch = epoch,
          .loss = progress.last_loss,
          .regularizer = progress.last_regularizer,
          .validation = is_time && validator_.has_windows() ? validate() : Validation{nan, nan},
          .rate = rate_of_epoch(options_.train, epoch - 1),
          .multiplier = multiplier};
}

// A weight that changes from epoch to epoch would make validations incomparable: what APHYNITY is to bring to
// 0 is the loss.
template <class T>
double Trainer<T>::to_be_lowered(const Validation& validation) const {
  const double lambda = options_.mode == TrainMode::aphynity ? 0 : options_.train.lambda;
  return validation.loss + (lambda > 0 ? lambda * validation.regularizer : 0);
}

template <class T>
Validation Trainer<T>::validate() {
  const FlushToZeroScope flush_to_zero;
  const Validation validation = validator_.validate(state_);
  Progress& progress = state_.progress;
  const double objective = to_be_lowered(validation);
  if (objective < progress.best_validation) {
    progress.best_validation = objective;
    progress.n_without_improvement = 0;
    std::copy_n(state_.parameters.data(), state_.parameters.size(), state_.best.data());
  } else {
    progress.n_without_improvement += 1;
  }
  return validation;
}

template <class T>
bool Trainer<T>::run_epoch(EpochResult& result) {
  while (!epoch_is_complete())
    if (!step()) return false;
  result = end_epoch();
  return true;
}

template <class T>
std::string Trainer<T>::divergence() const {
  return fmt::format(
      "training diverged in epoch {}, step {} of {}: {}; try a smaller `rate` in [train], a smaller `step` "
      "in [solver], or "
      "tighter bounds of the parameters",
      n_epochs_done() + 1, n_steps_done() + 1, batches_.n_steps(), learner_.trouble(batch_));
}

template <class T>
const AlignedBuffer<T>& Trainer<T>::final_parameters() const {
  return options_.train.keep_best && std::isfinite(state_.progress.best_validation) ? state_.best
                                                                                    : state_.parameters;
}

template <class T>
std::span<const T> Trainer<T>::final_weights() const {
  return final_parameters().span().first(state_.layout.n_weights);
}

template <class T>
std::span<const T> Trainer<T>::final_learned() const {
  return final_parameters().span().subspan(state_.layout.learned_begin, state_.layout.n_learned);
}

template <class T>
std::vector<double> Trainer<T>::final_theta() const {
  return theta_source_->common(final_learned());
}

template <class T>
FittedPriors Trainer<T>::fitted_priors() const {
  return theta_source_->fitted_priors(final_learned());
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace greybox
