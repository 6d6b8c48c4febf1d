// The stages of one Runge–Kutta step, taken by all samples side by side.
#pragma once

#include "ode/state_sums.hpp"
#include "ode/tableau.hpp"

namespace greybox {

// Holds the derivatives of the current step's stages and combines them by the method's table.
template <class T>
class Stages {
 public:
  // The tableau must outlive this.
  Stages(const Tableau& tableau, const StateLayout& layout)
      : tableau_(&tableau), derivatives_(layout, tableau.n_stages()), sum_(layout.size()) {}

  T* derivative(std::size_t stage) { return derivatives_[stage]; }

  // to = from + h Σ_j a_ij k_j, the state at which stage i is evaluated.
  void stage_state(const StateBatch& batch, const T* sizes, std::size_t stage, const T* from, T* to) {
    move_state(batch, sizes, WeightedSum<T>(tableau_->a[stage], derivatives_), from, to);
  }
  // to = from + h Σ_j b_j k_j, the state at the step's end.
  void next_state(const StateBatch& batch, const T* sizes, const T* from, T* to) {
    move_state(batch, sizes, WeightedSum<T>(tableau_->b, derivatives_), from, to);
  }
  // h Σ_j weights_j k_j
  const T* sum(const StateBatch& batch, const T* sizes, std::span<const double> weights) {
    scaled_sum(batch, sizes, WeightedSum<T>(weights, derivatives_), sum_.data());
    return sum_.data();
  }

 private:
  const Tableau* tableau_;
  StateRows<T> derivatives_;
  AlignedBuffer<T> sum_;
};

// times = starts + c · sizes
template <class T>
void stage_times(std::size_t n_samples, double c, const T* starts, const T* sizes, T* times) {
  const T fraction = static_cast<T>(c);
  for (std::size_t i = 0; i < n_samples; ++i) times[i] = starts[i] + fraction * sizes[i];
}

}  // namespace greybox
