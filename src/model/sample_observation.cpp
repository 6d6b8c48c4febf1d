// What a block of samples is compared with: squared residuals, losses, and their gradients.
#include <cmath>

#include "model/sample_block.hpp"
#include "model/sum_kernels.hpp"

namespace greybox {

template <class T>
void SampleBlock<T>::enter_observation(const OutputMoment<T>& at, const StateLayout& layout, const T* state) {
  bind_state(output_, layout, state);
  bind_snapshot_inputs(at.snapshot);
  move_to(at);
  output_.recompute(n_samples());
}

template <class T>
template <class F>
void SampleBlock<T>::for_compared(std::size_t snapshot, F&& f) {
  for (std::size_t o = 0; o < plan_->model().observed.size(); ++o) {
    const RegisterId root = plan_->output().root(o);
    const std::size_t points = plan_->model().points(plan_->output().program().shape(root));
    const T *predicted = output_.value(root),
            *measured = data_.column(plan_->model().observed[o].column, snapshot);
    T* gradient = output_.gradient(root);
    for (std::size_t i = 0; i < n_samples(); ++i) {
      if (snapshot >= data_.n_times(i)) continue;
      const std::size_t first = i * points;
      if (!data_.misses_values()) {
        f(Compared{o, i, first, points, predicted + first, measured + first, gradient + first});
        continue;
      }
      for (std::size_t p = first; p < first + points; ++p)
        if (!std::isnan(measured[p])) f(Compared{o, i, p, 1, predicted + p, measured + p, gradient + p});
    }
  }
}

template <class T>
template <class F>
void SampleBlock<T>::for_measurements(const Compared& compared, F&& f) {
  const BoundNoise& noise = *plan_->model().observed[compared.observed].noise;
  const std::optional<RegisterId> root = plan_->spread(compared.observed);
  const T* spreads = root ? output_.value(*root) + compared.first : nullptr;
  for (std::size_t i = 0; i < compared.n; ++i)
    f(i, Measurement{
             static_cast<double>(compared.predicted[i]), static_cast<double>(compared.measured[i]),
             spreads != nullptr ? std::fabs(static_cast<double>(spreads[i])) : (*spreads_)[compared.observed],
             noise.df});
}

template <class T>
void SampleBlock<T>::observe_arrays(std::size_t snapshot) {
  const std::vector<Observed>& observed = plan_->model().observed;
  for (std::size_t o = 0; o < observed.size(); ++o)
    add_squared_differences(n_samples(), output_.value(plan_->output().root(o)),
                            data_.column(observed[o].column, snapshot), observed[o].weight(),
                            squared_error_.data());
  for (std::size_t i = 0; i < n_samples(); ++i) n_compared_[i] += static_cast<double>(observed.size());
}

template <class T>
void SampleBlock<T>::observe(std::size_t snapshot) {
  if (plan_->model().has_noise()) observe_noise(snapshot);
  if (compares_whole_arrays(snapshot)) return observe_arrays(snapshot);
  for_compared(snapshot, [&](const Compared& at) {
    squared_error_[at.sample] += plan_->model().observed[at.observed].weight() *
                                 sum_of_squared_differences(at.n, at.predicted, at.measured);
    n_compared_[at.sample] += static_cast<double>(at.n);
  });
}

template <class T>
void SampleBlock<T>::observe_noise(std::size_t snapshot) {
  for_compared(snapshot, [&](const Compared& at) {
    const auto term = plan_->model().observed[at.observed].noise->family->term;
    for_measurements(at, [&](std::size_t, const Measurement& one) { loss_[at.sample] += term(one).value; });
  });
}

template <class T>
void SampleBlock<T>::noise_backward(const Compared& compared, double cotangent) {
  const auto term = plan_->model().observed[compared.observed].noise->family->term;
  const std::optional<RegisterId> root = plan_->spread(compared.observed);
  const T* spreads = root ? output_.value(*root) + compared.first : nullptr;
  T* grad_spreads = root ? output_.gradient(*root) + compared.first : nullptr;
  for_measurements(compared, [&](std::size_t i, const Measurement& one) {
    const NoiseTerm cost = term(one);
    compared.gradient[i] += static_cast<T>(cotangent * cost.by_prediction);
    if (spreads == nullptr)
      grad_spreads_[compared.observed] += cotangent * cost.by_spread * one.spread;
    else
      grad_spreads[i] +=
          static_cast<T>(spreads[i] < 0 ? -cotangent * cost.by_spread : cotangent * cost.by_spread);
  });
}

template <class T>
void SampleBlock<T>::observe_backward(std::size_t snapshot, const StateLayout& layout,
                                      const Cotangents<T>& cotangents, T* grad_state) {
  output_.clear_gradients();
  for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
  for_compared(snapshot, [&](const Compared& at) {
    const T loss = share(at.sample) * cotangents.loss[first_sample() + at.sample];
    if (plan_->model().has_noise()) return noise_backward(at, static_cast<double>(loss));
    const T cotangent = 2 * static_cast<T>(plan_->model().observed[at.observed].weight()) * loss;
    for (std::size_t i = 0; i < at.n; ++i) at.gradient[i] += cotangent * (at.predicted[i] - at.measured[i]);
  });
  const std::vector<Action>& actions = plan_->output().actions();
  for (std::size_t a = actions.size(); a > 0; --a) output_.backward(actions[a - 1], 0, n_samples());
  copy_state_gradient(layout, grad_state);
}

template void SampleBlock<float>::enter_observation(const OutputMoment<float>&, const StateLayout&,
                                                    const float*);
template void SampleBlock<double>::enter_observation(const OutputMoment<double>&, const StateLayout&,
                                                     const double*);
template void SampleBlock<float>::observe_arrays(std::size_t);
template void SampleBlock<double>::observe_arrays(std::size_t);
template void SampleBlock<float>::observe(std::size_t);
template void SampleBlock<double>::observe(std::size_t);
template void SampleBlock<float>::observe_noise(std::size_t);
template void SampleBlock<double>::observe_noise(std::size_t);
template void SampleBlock<float>::noise_backward(const Compared&, double);
template void SampleBlock<double>::noise_backward(const Compared&, double);
template void SampleBlock<float>::observe_backward(std::size_t, const StateLayout&, const Cotangents<float>&,
                                                   float*);
template void SampleBlock<double>::observe_backward(std::size_t, const StateLayout&,
                                                    const Cotangents<double>&, double*);

}  // namespace greybox
