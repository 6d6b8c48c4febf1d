#include "train/validator.hpp"

#include <algorithm>
#include <limits>

#include "model/draws.hpp"

namespace greybox {
namespace {

// Samples per batch where samples do not influence each other; results do not depend on it.
constexpr std::size_t kBatch = 1024;

}  // namespace

template <class T>
Validator<T>::Validator(const LoadedModel& loaded, std::shared_ptr<const ThetaSource<T>> theta_source,
                        ThreadPool& pool, const ValidatorOptions& options)
    : loaded_(loaded),
      theta_source_(std::move(theta_source)),
      regularizer_(options.regularizer),
      windows_(loaded.data->of_split(Split::validation)),
      regularizers_(loaded.model, 1),
      noise_(loaded),
      draws_(windows_.size() * loaded.model->draws.size()),
      theta_(theta_source_->is_left_to_estimator() ? 0 : windows_.size() * loaded.spec->parameters.size()),
      sums_(loaded.model->terms.size()),
      weights_(sums_.size()) {
  if (windows_.empty()) return;
  fill_draws<T>(*loaded.model, Random(options.seed, Purpose::validation_latents), 0, draws_);
  // Statistics of a batch are those of all windows together, so a coupled model takes them in one batch.
  const std::size_t capacity =
      loaded.plan->is_coupled() ? windows_.size() : std::min(windows_.size(), kBatch);
  engine_.emplace(loaded.plan, loaded.data->windows(), pool,
                  EngineOptions{.capacity = capacity, .is_differentiable = options.is_tailored});
  if (options.is_tailored) tailoring_.emplace(loaded, *regularizer_, capacity);
  if (!loaded.model->starts.empty())
    start_fit_ = std::make_unique<StartFit>(loaded, windows_, loaded.data->of_split(Split::train), pool);
}

template <class T>
std::span<const T> Validator<T>::weights_of(std::span<const T> weights, std::span<const T> noise,
                                            double last_loss) {
  if (!start_fit_) return weights;
  fitted_.assign(weights.begin(), weights.end());
  const std::vector<double> theta(theta_.begin(), theta_.end());
  start_fit_->fit({theta, noise_.spreads(noise), last_loss}, fitted_);
  completed_.assign(fitted_.begin(), fitted_.end());
  return completed_;
}

template <class T>
Validation Validator<T>::validate(std::span<const T> parameters, const FlatLayout& layout, double last_loss) {
  theta_source_->fill(Purpose::validation, 0, parameters.subspan(layout.learned_begin, layout.n_learned),
                      theta_);
  const std::span<const T> noise = noise_in(parameters, layout);
  engine_->set_weights(weights_of(parameters.first(layout.n_weights), noise, last_loss));
  engine_->set_noise(noise_.spreads(noise));
  loss_ = loss_weight_ = 0;
  std::fill(sums_.begin(), sums_.end(), 0.0);
  std::fill(weights_.begin(), weights_.end(), 0.0);
  const std::size_t n_parameters = loaded_.spec->parameters.size();
  for (std::size_t first = 0; first < windows_.size(); first += engine_->capacity()) {
    const std::size_t n = std::min(engine_->capacity(), windows_.size() - first);
    const std::span<T> theta =
        theta_.empty() ? std::span<T>() : std::span(theta_).subspan(first * n_parameters, n * n_parameters);
    const std::span<T> draws = draws_of(first, n);
    const Samples<T> samples{&loaded_.data->windows(), std::span(windows_).subspan(first, n), theta, draws};
    if (tailoring_) tailoring_->adapt(*engine_, samples, {theta, draws});
    engine_->forward(samples);
    add_batch();
  }
  Validation validation{.loss = loss_ / loss_weight_, .regularizer = 0};
  if (regularizer_) {
    for (std::size_t m = 0; m < sums_.size(); ++m) sums_[m] /= weights_[m];
    regularizers_.evaluate(sums_.data(), 1, 1);
    validation.regularizer = regularizers_.values(*regularizer_)[0];
  }
  return validation;
}

// Steps must not begin where those of an earlier validation ended.
template <class T>
std::span<T> Validator<T>::draws_of(std::size_t first, std::size_t n) {
  const std::vector<Draw>& kinds = loaded_.model->draws;
  const std::span<T> draws = std::span(draws_).subspan(first * kinds.size(), n * kinds.size());
  for (std::size_t i = 0; i < draws.size(); ++i)
    if (kinds[i % kinds.size()] == Draw::adapted) draws[i] = static_cast<T>(centre_of(Draw::adapted));
  return draws;
}

template <class T>
void Validator<T>::add_batch() {
  for (std::size_t i = 0; i < engine_->outcomes().size(); ++i) {
    const bool is_whole = engine_->outcomes()[i] == Outcome::finished;
    loss_ += is_whole ? engine_->losses()[i] : std::numeric_limits<double>::quiet_NaN();
    loss_weight_ += engine_->loss_weights()[i];
    for (std::size_t m = 0; m < sums_.size(); ++m) {
      sums_[m] += engine_->term_sums(m)[i];
      weights_[m] += engine_->term_weights(m)[i];
    }
  }
}

template class Validator<float>;
template class Validator<double>;

}  // namespace greybox
