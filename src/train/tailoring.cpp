#include "train/tailoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/limits.hpp"
#include "model/draws.hpp"
#include "train/normal.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

// Results do not depend on it.
constexpr std::size_t kWindowsAtOnce = 256;
// Of a standard normal, from its 10 % to its 90 % point.
double normal_width() {
  return 2 * normal_quantile(0.9);
}

void refuse_if_coupled(const LoadedModel& loaded) {
  if (!loaded.plan->is_coupled()) return;
  throw InputError(
      at(*loaded.spec->source, SourceSpan{},
         "mode tailored adapts each window on its own, and batch norm makes them depend on each other",
         "use norm = \"instance\" or \"none\", or choose another mode"));
}

// Of θ in units of the priors' widths, where differences lose about as much by rounding as by curvature.
template <class T>
double difference_distance() {
  return std::cbrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
}

}  // namespace

template <class T>
Tailoring<T>::Tailoring(const LoadedModel& loaded, std::size_t regularizer, std::size_t capacity)
    : spec_(loaded.spec->train.tailored),
      regularizer_(loaded.model, regularizer, capacity),
      n_parameters_(loaded.spec->parameters.size()),
      n_draws_(loaded.model->draws.size()),
      factors_(capacity),
      distances_(capacity) {
  refuse_if_coupled(loaded);
  for (const ParameterSpec& parameter : loaded.spec->parameters) {
    low_.push_back(parameter.low);
    high_.push_back(parameter.high);
    width_.push_back(Prior(parameter).width());
  }
  for (std::size_t d = 0; d < n_draws_; ++d)
    if (loaded.model->draws[d] == Draw::adapted) {
      adapted_.push_back(d);
      low_.push_back(-kInfinity);
      high_.push_back(kInfinity);
      width_.push_back(normal_width());
    }
  size_ = capacity * width();
  before_.resize(spec_.second_order ? spec_.steps * size_ : 0);
  moves_.resize(spec_.steps * size_);
  for (std::vector<T>* rows : {&rows_, &gradient_}) rows->resize(size_);
  for (std::vector<T>* rows : {&direction_, &shifted_}) rows->resize(spec_.second_order ? size_ : 0);
  for (std::vector<T>* theta : {&own_theta_, &grad_theta_}) theta->resize(capacity * n_parameters_);
  for (std::vector<T>* draws : {&own_draws_, &grad_draws_}) draws->resize(capacity * n_draws_);
}

template <class T>
void Tailoring<T>::gather(const TailoredPoint<T>& point, std::span<T> rows) const {
  for (std::size_t i = 0; i * width() < rows.size(); ++i) {
    T* row = rows.data() + i * width();
    for (std::size_t p = 0; p < n_parameters_; ++p) *row++ = point.theta[i * n_parameters_ + p];
    for (const std::size_t d : adapted_) *row++ = point.draws[i * n_draws_ + d];
  }
}

template <class T>
void Tailoring<T>::scatter(std::span<const T> rows, const TailoredPoint<T>& point) const {
  for (std::size_t i = 0; i * width() < rows.size(); ++i) {
    const T* row = rows.data() + i * width();
    for (std::size_t p = 0; p < n_parameters_; ++p) point.theta[i * n_parameters_ + p] = *row++;
    for (const std::size_t d : adapted_) point.draws[i * n_draws_ + d] = *row++;
  }
}

template <class T>
void Tailoring<T>::adapt(Engine<T>& engine, const Samples<T>& samples, const TailoredPoint<T>& point) {
  Samples<T> own = samples;
  own.theta = point.theta;
  own.draws = point.draws;
  const std::span<T> rows = std::span(rows_).first(samples.windows.size() * width());
  gather(point, rows);
  for (std::size_t k = 0; k < spec_.steps; ++k) {
    if (spec_.second_order) std::copy(rows.begin(), rows.end(), before(k, rows.size()).begin());
    step(engine, own, rows, std::span(moves_).subspan(k * size_, rows.size()));
    scatter(rows, point);
  }
}

template <class T>
void Tailoring<T>::differentiate(Engine<T>& engine, const Samples<T>& samples, std::span<T> grad_weights,
                                 std::span<T> gradient) {
  const std::size_t n = samples.windows.size();
  engine.forward(samples);
  regularizer_.evaluate_with_cotangents(engine);
  regularizer_.weigh(std::span(factors_).first(n));
  const TailoredPoint<T> to{std::span(grad_theta_).first(n * n_parameters_),
                            std::span(grad_draws_).first(n * n_draws_)};
  engine.backward(samples, regularizer_.cotangents(), grad_weights, to.theta, to.draws);
  gather(to, gradient);
}

template <class T>
void Tailoring<T>::step(Engine<T>& engine, const Samples<T>& samples, std::span<T> rows,
                        std::span<std::uint8_t> moves) {
  const std::span<T> gradient = std::span(gradient_).first(rows.size());
  const std::size_t n = samples.windows.size();
  std::fill_n(factors_.begin(), n, static_cast<double>(n));
  differentiate(engine, samples, {}, gradient);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t p = i % width();
    const double to =
        static_cast<double>(rows[i]) - spec_.rate * width_[p] * width_[p] * static_cast<double>(gradient[i]);
    moves[i] = std::isfinite(to) && to >= low_[p] && to <= high_[p] ? 1 : 0;
    if (std::isfinite(to)) rows[i] = static_cast<T>(std::clamp(to, low_[p], high_[p]));
  }
}

template <class T>
void Tailoring<T>::pull_back(Engine<T>& engine, const Samples<T>& samples, const TailoredPoint<T>& gradient,
                             std::span<T> grad_weights) {
  const std::span<T> rows = std::span(rows_).first(samples.windows.size() * width());
  gather(gradient, rows);
  for (std::size_t k = spec_.steps; k-- > 0;) {
    // What was not finite stayed where it was, and its gradient would be no number either way.
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (moves_[k * size_ + i] == 0) rows[i] = 0;
    if (spec_.second_order) add_curvature(engine, samples, k, rows, grad_weights);
  }
  scatter(rows, gradient);
}

// Adds the derivatives of direction · ∂R_i/∂θ_i: (∂R_i at θ + e direction - ∂R_i at θ - e direction) / 2e.
template <class T>
void Tailoring<T>::add_curvature(Engine<T>& engine, const Samples<T>& samples, std::size_t k,
                                 std::span<T> gradient, std::span<T> grad_weights) {
  const std::size_t n = samples.windows.size(), n_rows = gradient.size();
  const std::span<const T> from = before(k, n_rows);
  const std::span<T> direction = std::span(direction_).first(n_rows),
                     shifted = std::span(shifted_).first(n_rows), slope = std::span(gradient_).first(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double width_of = width_[i % width()];
    direction[i] = static_cast<T>(-spec_.rate * width_of * width_of * static_cast<double>(gradient[i]));
  }
  set_distances(direction);
  const TailoredPoint<T> at{std::span(own_theta_).first(n * n_parameters_),
                            std::span(own_draws_).first(samples.draws.size())};
  std::copy(samples.draws.begin(), samples.draws.end(), at.draws.begin());
  Samples<T> own = samples;
  own.theta = at.theta;
  own.draws = at.draws;
  for (const double side : {1.0, -1.0}) {
    for (std::size_t i = 0; i < n_rows; ++i)
      shifted[i] = static_cast<T>(static_cast<double>(from[i]) +
                                  side * distances_[i / width()] * static_cast<double>(direction[i]));
    scatter(shifted, at);
    for (std::size_t i = 0; i < n; ++i)
      factors_[i] = distances_[i] > 0 ? side * static_cast<double>(n) / (2 * distances_[i]) : 0;
    differentiate(engine, own, grad_weights, slope);
    for (std::size_t i = 0; i < n_rows; ++i) gradient[i] += slope[i];
  }
}

// Per sample: along its direction it moves by the distance, where it moves most. None where nothing moves.
template <class T>
void Tailoring<T>::set_distances(std::span<const T> direction) {
  std::fill(distances_.begin(), distances_.end(), 0.0);
  for (std::size_t i = 0; i < direction.size(); ++i) {
    double& largest = distances_[i / width()];
    largest = std::max(largest, std::fabs(static_cast<double>(direction[i])) / width_[i % width()]);
  }
  for (double& distance : distances_)
    if (distance > 0) distance = difference_distance<T>() / distance;
}

template <class T>
TailoredWindows tailored_windows(const LoadedModel& loaded, const TailoringRequest& request,
                                 ThreadPool& pool) {
  const std::size_t n = request.windows.size(), capacity = std::min(n, kWindowsAtOnce),
                    n_parameters = request.start.size(), n_draws = loaded.model->draws.size();
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool,
                   {.capacity = capacity, .is_differentiable = true});
  engine.set_weights(std::vector<T>(request.weights.begin(), request.weights.end()));
  Tailoring<T> tailoring(loaded, request.regularizer, capacity);
  std::vector<T> theta, draws = centred_draws<T>(*loaded.model, n);
  for (std::size_t i = 0; i < n; ++i) theta.insert(theta.end(), request.start.begin(), request.start.end());
  for (std::size_t first = 0; first < n; first += capacity) {
    const std::size_t count = std::min(capacity, n - first);
    tailoring.adapt(engine, {&loaded.data->windows(), request.windows.subspan(first, count), {}},
                    {std::span(theta).subspan(first * n_parameters, count * n_parameters),
                     std::span(draws).subspan(first * n_draws, count * n_draws)});
  }
  if (!loaded.model->has_adapted_draws()) draws.clear();
  return {{theta.begin(), theta.end()}, {draws.begin(), draws.end()}};
}

template TailoredWindows tailored_windows<float>(const LoadedModel&, const TailoringRequest&, ThreadPool&);
template TailoredWindows tailored_windows<double>(const LoadedModel&, const TailoringRequest&, ThreadPool&);
template class Tailoring<float>;
template class Tailoring<double>;

}  // namespace greybox
