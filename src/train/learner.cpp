#include "train/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/denormals.hpp"

namespace greybox {

template <class T>
Learner<T>::Learner(const LoadedModel& loaded, std::shared_ptr<const ThetaSource<T>> theta_source,
                    ThreadPool& pool, const LearnerOptions& options)
    : loaded_(loaded),
      theta_source_(std::move(theta_source)),
      adam_(options.adam),
      engine_(loaded.plan, loaded.data->windows(), pool,
              {.capacity = options.capacity, .is_differentiable = true}),
      objective_(loaded.model, options.objective, options.capacity),
      layout_(FlatLayout::of<T>(engine_.n_weights(), theta_source_->n_learned())),
      kept_(*loaded.model, engine_.networks().tensors(), !options.fits_estimator),
      fits_estimator_(options.fits_estimator),
      gradient_(layout_.size()),
      theta_(options.capacity * loaded.spec->parameters.size()),
      grad_theta_(theta_.size()) {}

template <class T>
bool Learner<T>::step(TrainState<T>& state, const Batch& batch, double rate) {
  const FlushToZeroScope flush_to_zero;
  const auto n_updates = static_cast<std::uint64_t>(state.progress.n_updates);
  const std::size_t n_theta = batch.windows.size() * loaded_.spec->parameters.size();
  const std::span<T> theta = std::span(theta_).first(n_theta),
                     grad_theta = std::span(grad_theta_).first(n_theta);
  theta_source_->fill(Purpose::parameters, n_updates, state.learned(), theta);

  const Samples<T> samples{&loaded_.data->windows(), batch.windows,
                           fits_estimator_ ? std::span<const T>() : std::span<const T>(theta)};
  engine_.set_weights(state.weights());
  engine_.forward(samples);
  values_ = objective_.evaluate(engine_, batch.ranges);
  if (!is_finite()) return false;

  gradient_.fill(0);
  engine_.backward(samples, objective_.seeds(engine_, batch.ranges),
                   gradient_.span().first(layout_.n_weights), grad_theta);
  theta_source_->pull_back(n_updates, state.learned(), grad_theta,
                           gradient_.span().subspan(layout_.learned_begin, layout_.n_learned));
  kept_.clear(gradient_.span());
  kept_.save(state.weights());
  const std::size_t n_decayed = theta_source_->decays() ? padded<T>(layout_.size()) : layout_.learned_begin;
  if (!adam_step<T>(adam_, rate, n_updates,
                    {&state.parameters, &gradient_, &state.first_moments, &state.second_moments, n_decayed}))
    return false;
  kept_.restore(state.parameters.span());
  theta_source_->project(state.learned());
  state.progress.n_updates += 1;
  return true;
}

template <class T>
bool Learner<T>::is_finite() const {
  const auto outcomes = engine_.outcomes();
  return values_.is_finite() && std::all_of(outcomes.begin(), outcomes.end(),
                                            [](Outcome outcome) { return outcome == Outcome::finished; });
}

template <class T>
std::string Learner<T>::theta_text(std::size_t sample) const {
  const std::vector<ParameterSpec>& parameters = loaded_.spec->parameters;
  std::string text;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    text += fmt::format("{}{} = {:.6g}", p > 0 ? ", " : " at ", parameters[p].name,
                        engine_.theta()[sample * parameters.size() + p]);
  return text;
}

template <class T>
std::string Learner<T>::trouble(const Batch& batch) const {
  for (std::size_t i = 0; i < batch.windows.size(); ++i) {
    const Outcome outcome = engine_.outcomes()[i];
    const std::string where = fmt::format("window {}{}", batch.windows[i], theta_text(i));
    if (outcome == Outcome::too_many_steps)
      return fmt::format("{}: the solver needed too many steps after t = {:.6g}", where,
                         engine_.stopped_at()[i]);
    if (outcome == Outcome::diverged)
      return fmt::format("{}: the state left the finite numbers after t = {:.6g}", where,
                         engine_.stopped_at()[i]);
    if (!std::isfinite(engine_.squared_errors()[i])) return where + ": the prediction is not a finite number";
    for (std::size_t m = 0; m < loaded_.model->terms.size(); ++m)
      if (!std::isfinite(engine_.term_sums(m)[i]))
        return where + ": a term of the regularizer is not a finite number";
  }
  const std::string first = fmt::format("(its first: window {}{})", batch.windows[0], theta_text(0));
  return values_.is_finite() ? "the gradient of this batch " + first + " is not finite"
                             : "the regularizer of this batch " + first + " is not finite";
}

template class Learner<float>;
template class Learner<double>;

}  // namespace greybox
