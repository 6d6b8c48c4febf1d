#include "train/tailoring.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "train/prior.hpp"

namespace greybox {
namespace {

// Results do not depend on it.
constexpr std::size_t kWindowsAtOnce = 256;

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
      size_(capacity * loaded.spec->parameters.size()),
      before_(spec_.second_order ? spec_.steps * size_ : 0),
      moves_(spec_.steps * size_),
      gradient_(size_),
      direction_(spec_.second_order ? size_ : 0),
      shifted_(direction_.size()),
      factors_(capacity),
      distances_(capacity) {
  refuse_if_coupled(loaded);
  for (const ParameterSpec& parameter : loaded.spec->parameters) {
    low_.push_back(parameter.low);
    high_.push_back(parameter.high);
    width_.push_back(Prior(parameter).width());
  }
}

template <class T>
void Tailoring<T>::adapt(Engine<T>& engine, const Samples<T>& samples, std::span<T> theta) {
  Samples<T> own = samples;
  own.theta = theta;
  for (std::size_t k = 0; k < spec_.steps; ++k) {
    for (std::size_t i = 0; i < theta.size() && spec_.second_order; ++i) before_[k * size_ + i] = theta[i];
    step(engine, own, theta, std::span(moves_).subspan(k * size_, theta.size()));
  }
}

template <class T>
void Tailoring<T>::step(Engine<T>& engine, const Samples<T>& samples, std::span<T> theta,
                        std::span<std::uint8_t> moves) {
  const std::size_t n = samples.windows.size();
  const std::span<T> gradient = std::span(gradient_).first(theta.size());
  engine.forward(samples);
  regularizer_.evaluate_with_cotangents(engine);
  std::fill_n(factors_.begin(), n, static_cast<double>(n));
  regularizer_.weigh(std::span(factors_).first(n));
  engine.backward(samples, regularizer_.cotangents(), {}, gradient);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const std::size_t p = i % n_parameters();
    const double to =
        static_cast<double>(theta[i]) - spec_.rate * width_[p] * width_[p] * static_cast<double>(gradient[i]);
    moves[i] = std::isfinite(to) && to >= low_[p] && to <= high_[p] ? 1 : 0;
    if (std::isfinite(to)) theta[i] = static_cast<T>(std::clamp(to, low_[p], high_[p]));
  }
}

template <class T>
void Tailoring<T>::pull_back(Engine<T>& engine, const Samples<T>& samples, std::span<T> grad_theta,
                             std::span<T> grad_weights) {
  const std::size_t n = grad_theta.size();
  for (std::size_t k = spec_.steps; k-- > 0;) {
    // A θ that was not finite stayed where it was, and its gradient would be no number either way.
    for (std::size_t i = 0; i < n; ++i)
      if (moves_[k * size_ + i] == 0) grad_theta[i] = 0;
    if (!spec_.second_order) continue;
    const std::span<T> direction = std::span(direction_).first(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double width = width_[i % n_parameters()];
      direction[i] = static_cast<T>(-spec_.rate * width * width * static_cast<double>(grad_theta[i]));
    }
    add_curvature(engine, samples, before(k, n), direction, grad_theta, grad_weights);
  }
}

// Adds the derivatives of direction · ∂R_i/∂θ_i: (∂R_i at θ + e direction - ∂R_i at θ - e direction) / 2e.
template <class T>
void Tailoring<T>::add_curvature(Engine<T>& engine, const Samples<T>& samples, std::span<const T> theta,
                                 std::span<const T> direction, std::span<T> grad_theta,
                                 std::span<T> grad_weights) {
  const std::size_t n = samples.windows.size();
  const std::span<T> shifted = std::span(shifted_).first(theta.size()),
                     gradient = std::span(gradient_).first(theta.size());
  Samples<T> own = samples;
  own.theta = shifted;
  set_distances(direction);
  for (const double side : {1.0, -1.0}) {
    for (std::size_t i = 0; i < theta.size(); ++i)
      shifted[i] = static_cast<T>(static_cast<double>(theta[i]) +
                                  side * distances_[i / n_parameters()] * static_cast<double>(direction[i]));
    engine.forward(own);
    regularizer_.evaluate_with_cotangents(engine);
    for (std::size_t i = 0; i < n; ++i)
      factors_[i] = distances_[i] > 0 ? side * static_cast<double>(n) / (2 * distances_[i]) : 0;
    regularizer_.weigh(std::span(factors_).first(n));
    engine.backward(own, regularizer_.cotangents(), grad_weights, gradient);
    for (std::size_t i = 0; i < theta.size(); ++i) grad_theta[i] += gradient[i];
  }
}

// Per sample: along its direction θ moves by the distance, where it moves most. None where nothing moves.
template <class T>
void Tailoring<T>::set_distances(std::span<const T> direction) {
  std::fill(distances_.begin(), distances_.end(), 0.0);
  for (std::size_t i = 0; i < direction.size(); ++i) {
    double& largest = distances_[i / n_parameters()];
    largest = std::max(largest, std::fabs(static_cast<double>(direction[i])) / width_[i % n_parameters()]);
  }
  for (double& distance : distances_)
    if (distance > 0) distance = difference_distance<T>() / distance;
}

template <class T>
std::vector<double> tailored_theta(const LoadedModel& loaded, const TailoringRequest& request,
                                   ThreadPool& pool) {
  const std::size_t n = request.windows.size(), capacity = std::min(n, kWindowsAtOnce);
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool,
                   {.capacity = capacity, .is_differentiable = true});
  engine.set_weights(std::vector<T>(request.weights.begin(), request.weights.end()));
  Tailoring<T> tailoring(loaded, request.regularizer, capacity);
  std::vector<T> theta;
  for (std::size_t i = 0; i < n; ++i) theta.insert(theta.end(), request.start.begin(), request.start.end());
  for (std::size_t first = 0; first < n; first += capacity) {
    const std::size_t count = std::min(capacity, n - first), n_parameters = request.start.size();
    tailoring.adapt(engine, {&loaded.data->windows(), request.windows.subspan(first, count), {}},
                    std::span(theta).subspan(first * n_parameters, count * n_parameters));
  }
  return {theta.begin(), theta.end()};
}

template std::vector<double> tailored_theta<float>(const LoadedModel&, const TailoringRequest&, ThreadPool&);
template std::vector<double> tailored_theta<double>(const LoadedModel&, const TailoringRequest&, ThreadPool&);
template class Tailoring<float>;
template class Tailoring<double>;

}  // namespace greybox
