// What a block of samples is compared with: squared residuals, and their gradients.
#include <cmath>

#include "model/sample_block.hpp"
#include "model/sum_kernels.hpp"

namespace greybox {

template <class T>
void SampleBlock<T>::enter_snapshot(std::size_t snapshot, const StateLayout& layout, const T* state) {
  bind_state(output_, layout, state);
  data_.move_to(snapshot, data_.snapshot_times(snapshot));
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
    const double weight = plan_->model().observed[o].weight();
    for (std::size_t i = 0; i < n_samples(); ++i) {
      if (snapshot >= data_.n_times(i)) continue;
      const std::size_t first = i * points;
      if (!data_.misses_values()) {
        f(i, weight, points, predicted + first, measured + first, gradient + first);
        continue;
      }
      for (std::size_t p = first; p < first + points; ++p)
        if (!std::isnan(measured[p])) f(i, weight, 1, predicted + p, measured + p, gradient + p);
    }
  }
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
  if (compares_whole_arrays(snapshot)) return observe_arrays(snapshot);
  for_compared(snapshot, [&](std::size_t sample, double weight, std::size_t n, const T* predicted,
                             const T* measured, T*) {
    squared_error_[sample] += weight * sum_of_squared_differences(n, predicted, measured);
    n_compared_[sample] += static_cast<double>(n);
  });
}

template <class T>
void SampleBlock<T>::observe_backward(std::size_t snapshot, const StateLayout& layout,
                                      const Cotangents<T>& cotangents, T* grad_state) {
  output_.clear_gradients();
  for (AlignedBuffer<T>& gradient : grad_state_) gradient.fill(0);
  for_compared(snapshot, [&](std::size_t sample, double weight, std::size_t n, const T* predicted,
                             const T* measured, T* gradient) {
    const T cotangent = 2 * static_cast<T>(weight) * cotangents.squared_error[first_sample() + sample];
    for (std::size_t i = 0; i < n; ++i) gradient[i] += cotangent * (predicted[i] - measured[i]);
  });
  const std::vector<Action>& actions = plan_->output().actions();
  for (std::size_t a = actions.size(); a > 0; --a) output_.backward(actions[a - 1], 0, n_samples());
  copy_state_gradient(layout, grad_state);
}

template void SampleBlock<float>::enter_snapshot(std::size_t, const StateLayout&, const float*);
template void SampleBlock<double>::enter_snapshot(std::size_t, const StateLayout&, const double*);
template void SampleBlock<float>::observe_arrays(std::size_t);
template void SampleBlock<double>::observe_arrays(std::size_t);
template void SampleBlock<float>::observe(std::size_t);
template void SampleBlock<double>::observe(std::size_t);
template void SampleBlock<float>::observe_backward(std::size_t, const StateLayout&, const Cotangents<float>&,
                                                   float*);
template void SampleBlock<double>::observe_backward(std::size_t, const StateLayout&,
                                                    const Cotangents<double>&, double*);

}  // namespace greybox
