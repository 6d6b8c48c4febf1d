#include "train/learner.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/denormals.hpp"
#include "core/require.hpp"
#include "model/draws.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// More than any training has updates.
constexpr std::uint64_t kDrawsOfAttempt = 1ULL << 48U;

// Of a window: predictions beyond it have nothing to do with the data, and what is learned from them drowns
// the rest.
double largest_error(const LoadedModel& loaded) {
  const double range = observed_range(loaded, loaded.data->of_split(Split::train)) / error_unit(*loaded.spec);
  return range > 0 && std::isfinite(range) ? std::pow(kFarOff * range, 2) : kInfinity;
}

}  // namespace

template <class T>
Learner<T>::Learner(const LoadedModel& loaded, LearnerParts<T> parts, ThreadPool& pool,
                    const LearnerOptions& options)
    : loaded_(loaded),
      windows_(&loaded_.data->windows()),
      parts_(std::move(parts)),
      pool_(&pool),
      noise_(loaded),
      engine_(loaded.plan, loaded.data->windows(), pool,
              {.capacity = options.capacity, .is_differentiable = true}),
      start_prior_(loaded, engine_.networks(), parts_.theta_source->is_drawn()),
      layout_(FlatLayout::of<T>(engine_.n_weights(), parts_.theta_source->n_learned(), noise_.n_learned())),
      kept_(*loaded.model, engine_.networks().tensors(),
            options.learning == LearningNetworks::all_but_estimator),
      gradient_(layout_.size()),
      random_(options.seed, Purpose::latents),
      theta_(options.capacity * loaded.spec->parameters.size()),
      grad_theta_(theta_.size()),
      other_theta_(theta_.size()),
      draws_(options.capacity * loaded.model->draws.size()),
      is_to_blame_(options.capacity),
      largest_error_(largest_error(loaded)) {}

template <class T>
void Learner<T>::check(const TrainState<T>& state, const Batch& batch) const {
  const std::size_t n = batch.windows.size();
  require(n > 0 && n <= engine_.capacity(), "the batch is empty or larger than Learner's capacity");
  require(batch.ranges.n_loss <= n && batch.ranges.n_regularizer <= n,
          "L or R is to run over more samples than the batch has");
  require(state.layout == layout_, "the state of Learner::step belongs to another training");
}

template <class T>
bool Learner<T>::step(TrainState<T>& state, const Batch& batch, double rate, std::uint64_t attempt) {
  check(state, batch);
  const FlushToZeroScope flush_to_zero;
  const std::uint64_t draw = static_cast<std::uint64_t>(state.counters.n_updates) + attempt * kDrawsOfAttempt;
  const ThetaSource<T>& source = *parts_.theta_source;
  const std::size_t n_theta = batch.windows.size() * loaded_.spec->parameters.size();
  const std::span<T> theta = std::span(theta_).first(n_theta),
                     grad_theta = std::span(grad_theta_).first(n_theta);
  Samples<T> samples{windows_, batch.windows, {}};
  if (!source.is_left_to_estimator()) {
    fill_theta(state, draw, attempt, theta);
    samples.theta = theta;
  }
  const std::span<T> draws = std::span(draws_).first(batch.windows.size() * loaded_.model->draws.size());
  fill_draws(*loaded_.model, random_, draw, draws);
  samples.draws = draws;
  engine_.set_weights(state.weights());
  engine_.set_noise(noise_.spreads(std::as_const(state).noise()));
  if (parts_.tailoring) parts_.tailoring->adapt(engine_, samples, {theta, draws});
  engine_.forward(samples);
  values_ = parts_.objective->evaluate(engine_, batch.ranges);
  if (!is_finite()) {
    blame_samples(batch.windows.size(), false);
    return false;
  }

  gradient_.fill(0);
  const Cotangents<T>& cotangents = parts_.objective->cotangents(engine_, batch.ranges);
  const std::span<T> grad_weights = gradient_.span().first(layout_.n_weights);
  const std::span<T> grad_draws =
      parts_.tailoring ? parts_.tailoring->grad_draws(batch.windows.size()) : std::span<T>();
  const bool is_bare = has_faulty_idle_terms(cotangents);
  if (is_bare)
    backward_without_terms(state, samples, cotangents, {grad_weights, grad_theta, grad_draws});
  else
    engine_.backward(samples, cotangents, grad_weights, grad_theta, grad_draws);
  if (start_prior_.has_starts()) add_start_prior(state, batch, cotangents);
  if (layout_.n_noise > 0)
    noise_.pull_back(is_bare ? *bare_ : engine_,
                     gradient_.span().subspan(layout_.noise_begin, layout_.n_noise));
  if (parts_.tailoring) parts_.tailoring->pull_back(engine_, samples, {grad_theta, grad_draws}, grad_weights);
  source.pull_back(draw, state.learned(), grad_theta,
                   gradient_.span().subspan(layout_.learned_begin, layout_.n_learned));
  if (update(state, rate)) return true;
  blame_samples(batch.windows.size(), true);
  return false;
}

// Shapes of priors that are learned are pulled back through the draws of one attempt, so that all θ are its.
template <class T>
void Learner<T>::fill_theta(const TrainState<T>& state, std::uint64_t draw, std::uint64_t attempt,
                            std::span<T> theta) {
  const ThetaSource<T>& source = *parts_.theta_source;
  const bool keeps_others = attempt > 0 && source.is_drawn() && layout_.n_learned == 0;
  const std::span<T> drawn = keeps_others ? std::span(other_theta_).first(theta.size()) : theta;
  source.fill(Purpose::parameters, draw, state.learned(), drawn);
  if (!keeps_others) return;
  const std::size_t n_parameters = loaded_.spec->parameters.size();
  for (std::size_t i = 0; i < theta.size(); ++i)
    if (is_to_blame_[i / n_parameters] != 0) theta[i] = drawn[i];
}

template <class T>
void Learner<T>::blame_samples(std::size_t n, bool has_gradient) {
  const std::size_t n_parameters = loaded_.spec->parameters.size();
  const auto is_wrong = [](T value) { return !std::isfinite(value); };
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    const auto gradient = grad_theta_.begin() + static_cast<std::ptrdiff_t>(i * n_parameters);
    bool is_lost = engine_.outcomes()[i] != Outcome::finished || !std::isfinite(engine_.losses()[i]) ||
                   is_far_off(i) ||
                   (has_gradient &&
                    std::any_of(gradient, gradient + static_cast<std::ptrdiff_t>(n_parameters), is_wrong));
    for (std::size_t m = 0; m < loaded_.model->terms.size() && !is_lost; ++m)
      is_lost = !std::isfinite(engine_.term_sums(m)[i]);
    is_to_blame_[i] = is_lost ? 1 : 0;
    any |= is_lost;
  }
  if (!any) std::fill_n(is_to_blame_.begin(), n, std::uint8_t{1});
}

// L is a mean over compared values, and so is the prior's share. Without noise that is known, squared errors
// are taken to have the variance that they have at present.
template <class T>
void Learner<T>::add_start_prior(const TrainState<T>& state, const Batch& batch,
                                 const Cotangents<T>& cotangents) {
  if (cotangents.loss == nullptr) return;
  const double per_value = static_cast<double>(cotangents.loss[0]);
  start_prior_.add_to(gradient_.span(), state.weights(), batch,
                      per_value * (loaded_.model->has_noise() ? 1 : 2 * values_.loss));
}

// Terms that count for nothing, some of them not finite: 0 times their derivatives would be NaN.
template <class T>
bool Learner<T>::has_faulty_idle_terms(const Cotangents<T>& cotangents) const {
  const auto is_idle = [&](const T* of_term) {
    return std::all_of(of_term, of_term + engine_.outcomes().size(), [](T c) { return c == 0; });
  };
  const auto is_faulty = [&](std::size_t m) {
    const std::span<const double> sums = engine_.term_sums(m);
    return std::any_of(sums.begin(), sums.end(), [](double sum) { return !std::isfinite(sum); });
  };
  bool has_faulty = false;
  for (std::size_t m = 0; m < cotangents.terms.size(); ++m) has_faulty |= is_faulty(m);
  return has_faulty && std::all_of(cotangents.terms.begin(), cotangents.terms.end(), is_idle);
}

template <class T>
void Learner<T>::backward_without_terms(const TrainState<T>& state, const Samples<T>& samples,
                                        const Cotangents<T>& cotangents, const Gradients& to) {
  if (!bare_) {
    BoundModel model = *loaded_.model;
    model.terms.clear();
    model.regularizers.clear();
    const auto plan =
        std::make_shared<const ExecutionPlan>(std::make_shared<const BoundModel>(std::move(model)));
    bare_.emplace(plan, loaded_.data->windows(), *pool_,
                  EngineOptions{.capacity = engine_.capacity(), .is_differentiable = true});
  }
  bare_->set_weights(state.weights());
  bare_->set_noise(engine_.noise());
  bare_->forward(samples);
  bare_->backward(samples, {cotangents.loss, {}}, to.weights, to.theta, to.draws);
}

template <class T>
bool Learner<T>::update(TrainState<T>& state, double rate) {
  const ThetaSource<T>& source = *parts_.theta_source;
  kept_.clear(gradient_.span());
  kept_.save(state.weights());
  // Learned starts have a prior of their own; decay ends with a whole cache line before them.
  const std::size_t line = padded<T>(1);
  const std::size_t n_decayed = start_prior_.has_starts() ? start_prior_.n_network_weights() / line * line
                                : source.decays()         ? layout_.noise_begin
                                                          : layout_.learned_begin;
  if (!parts_.update_rule->update(
          rate, static_cast<std::uint64_t>(state.counters.n_updates - state.counters.moments_from),
          {&state.parameters, &gradient_, &state.first_moments, &state.second_moments, n_decayed,
           &state.curvature}))
    return false;
  kept_.restore(state.parameters.span());
  source.project(state.learned());
  noise_.project(state.noise());
  state.counters.n_updates += 1;
  return true;
}

template <class T>
bool Learner<T>::is_finite() const {
  const auto outcomes = engine_.outcomes();
  bool is_any_far_off = false;
  for (std::size_t i = 0; i < outcomes.size(); ++i) is_any_far_off |= is_far_off(i);
  return values_.is_finite() && !is_any_far_off &&
         std::all_of(outcomes.begin(), outcomes.end(),
                     [](Outcome outcome) { return outcome == Outcome::finished; });
}

template <class T>
bool Learner<T>::is_far_off(std::size_t sample) const {
  return engine_.squared_errors()[sample] > largest_error_ * engine_.n_compared()[sample];
}

template <class T>
NonFinite Learner<T>::non_finite(const Batch& batch) const {
  require(!batch.windows.empty() && batch.windows.size() == engine_.outcomes().size(),
          "Learner::non_finite takes the batch of the last step");
  const std::vector<ParameterSpec>& parameters = loaded_.spec->parameters;
  const auto at = [&](NonFiniteValue value, std::size_t sample, double time = kNaN) {
    NonFinite found{.value = value, .window = batch.windows[sample], .theta = {}, .time = time};
    for (std::size_t p = 0; p < parameters.size(); ++p)
      found.theta.emplace_back(parameters[p].name,
                               static_cast<double>(engine_.theta()[sample * parameters.size() + p]));
    return found;
  };
  for (std::size_t i = 0; i < batch.windows.size(); ++i) {
    const Outcome outcome = engine_.outcomes()[i];
    const double time = engine_.stopped_at()[i];
    if (outcome == Outcome::too_many_steps) return at(NonFiniteValue::solver_steps, i, time);
    if (outcome == Outcome::diverged) return at(NonFiniteValue::state, i, time);
    if (!std::isfinite(engine_.losses()[i])) return at(NonFiniteValue::prediction, i);
    if (is_far_off(i)) return at(NonFiniteValue::far_prediction, i);
    for (std::size_t m = 0; m < loaded_.model->terms.size(); ++m)
      if (!std::isfinite(engine_.term_sums(m)[i])) return at(NonFiniteValue::regularizer_term, i);
  }
  return at(values_.is_finite() ? NonFiniteValue::gradient : NonFiniteValue::regularizer, 0);
}

template class Learner<float>;
template class Learner<double>;

}  // namespace greybox
