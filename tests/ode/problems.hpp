// What the integrator's tests share: right-hand sides written per sample, and a batch of trajectories.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ode/integrator.hpp"

namespace greybox::test {

// The state of one sample, component after component, as one contiguous vector.
template <class T>
void gather(const StateLayout& layout, std::size_t sample, const T* from, std::vector<T>& to) {
  to.clear();
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    const T* first = from + layout.offset(c) + sample * layout.width(c);
    to.insert(to.end(), first, first + layout.width(c));
  }
}

template <class T>
void scatter(const StateLayout& layout, std::size_t sample, const std::vector<T>& from, T* to) {
  auto next = from.begin();
  for (std::size_t c = 0; c < layout.n_components(); ++c) {
    for (std::size_t p = 0; p < layout.width(c); ++p)
      to[layout.offset(c) + sample * layout.width(c) + p] = *next++;
  }
}

// The Jacobian of a right-hand side whose `pull_back` gives (df/ds)ᵀ of a gradient, laid out as a state.
template <class T, class PullBack>
void linearize_by_rows(const StateLayout& layout, std::size_t n_samples, StateRows<T>& jacobian,
                       PullBack pull_back) {
  AlignedBuffer<T> unit(layout.size());
  for (std::size_t c = 0, row = 0; c < layout.n_components(); ++c)
    for (std::size_t p = 0; p < layout.width(c); ++p, ++row) {
      unit.fill(0);
      for (std::size_t i = 0; i < n_samples; ++i) unit[layout.offset(c) + i * layout.width(c) + p] = 1;
      pull_back(unit.data(), jacobian[row]);
    }
}

// f(sample, t, state, derivative) for one sample at a time; takes note of how it is called.
template <class T>
class PerSample : public RightHandSide<T> {
 public:
  using Function = std::function<void(std::size_t, T, const std::vector<T>&, std::vector<T>&)>;
  PerSample(StateLayout layout, std::size_t samples, Function f)
      : n_samples(samples), weight_sums(samples), layout_(std::move(layout)), f_(std::move(f)) {}

  void evaluate(const EvaluationPoint<T>& at, const T* state, T* derivative) override {
    ++n_evaluations;
    for (std::size_t i = 0; i < n_samples; ++i) {
      gather(layout_, i, state, state_);
      derivative_.resize(state_.size());
      f_(i, at.time[i], state_, derivative_);
      scatter(layout_, i, derivative_, derivative);
      weight_sums[i] += at.weight[i];
    }
  }
  void adjoint(const EvaluationPoint<T>&, const T*, const T*, T*) override {}
  // By differences.
  void linearize(const EvaluationPoint<T>& at, const T* state, StateRows<T>& jacobian) override {
    for (std::size_t i = 0; i < n_samples; ++i) {
      gather(layout_, i, state, state_);
      std::vector<T> up(state_.size()), down(state_.size()), row(state_.size());
      std::vector<std::vector<T>> columns;
      for (T& entry : state_) {
        const T kept = entry, step = std::cbrt(std::numeric_limits<T>::epsilon()) * (1 + std::abs(kept));
        entry = kept + step, f_(i, at.time[i], state_, up);
        entry = kept - step, f_(i, at.time[i], state_, down);
        entry = kept;
        for (std::size_t r = 0; r < up.size(); ++r) up[r] = (up[r] - down[r]) / (2 * step);
        columns.push_back(up);
      }
      for (std::size_t r = 0; r < row.size(); ++r) {
        for (std::size_t c = 0; c < row.size(); ++c) row[c] = columns[c][r];
        scatter(layout_, i, row, jacobian[r]);
      }
    }
  }

  std::size_t n_samples;
  std::size_t n_evaluations = 0;
  std::vector<T> weight_sums;

 private:
  StateLayout layout_;
  Function f_;
  std::vector<T> state_, derivative_;
};

// A batch of trajectories: times, initial states, outputs.
template <class T>
struct Trajectories {
  Trajectories(const IntegratorOptions& options, std::vector<std::size_t> widths, std::size_t samples,
               std::size_t room, std::size_t most_times)
      : layout(std::move(widths), room, kAlignment / sizeof(T)),
        integrator(options, layout, room, most_times),
        n_samples(samples),
        capacity(room),
        n_times(most_times),
        times(room * most_times),
        counts(room, most_times),
        initial(layout.size()),
        outputs(layout.size() * (most_times - 1)) {}

  T& time(std::size_t k, std::size_t sample) { return times[k * capacity + sample]; }
  void set_initial(std::size_t sample, const std::vector<T>& state) {
    scatter(layout, sample, state, initial.data());
  }
  void plan(RightHandSide<T>& rhs) {
    integrator.plan(n_samples, times.data(), counts.data(), initial.data(), rhs);
  }
  void forward(RightHandSide<T>& rhs) { integrator.forward(initial.data(), rhs, outputs.data()); }
  void run(RightHandSide<T>& rhs) { plan(rhs), forward(rhs); }
  // The state of a sample at time k ≥ 1.
  std::vector<T> output(std::size_t k, std::size_t sample) const {
    std::vector<T> state;
    gather(layout, sample, outputs.data() + (k - 1) * layout.size(), state);
    return state;
  }

  StateLayout layout;
  Integrator<T> integrator;
  std::size_t n_samples, capacity, n_times;
  std::vector<T> times;
  std::vector<std::size_t> counts;
  AlignedBuffer<T> initial, outputs;
};

}  // namespace greybox::test
