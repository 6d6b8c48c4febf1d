// Weighted sums of states, and steps along them, for many samples with a step size each. A sample whose step
// size is zero takes no part: its values stay exactly as they are, even where its derivatives are not finite.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include "ode/state_layout.hpp"

namespace greybox {

// Σ_j weight_j · term_j, still to be computed. Terms without weight are left out: they may be anything.
template <class T>
class WeightedSum {
 public:
  WeightedSum(std::span<const double> weights, const StateRows<T>& terms) {
    for (std::size_t j = 0; j < weights.size(); ++j)
      if (weights[j] != 0) add(static_cast<T>(weights[j]), terms[j]);
  }
  explicit WeightedSum(const T* term) { add(1, term); }

  std::size_t size() const { return size_; }
  T weight(std::size_t j) const { return weights_[j]; }
  const T* term(std::size_t j) const { return terms_[j]; }

 private:
  static constexpr std::size_t kMost = 16;  // more than the stages of any method

  void add(T weight, const T* term) {
    assert(size_ < kMost);
    weights_[size_] = weight;
    terms_[size_++] = term;
  }

  std::size_t size_ = 0;
  std::array<T, kMost> weights_{};
  std::array<const T*, kMost> terms_{};
};

// Functions of batch, sizes, sum, what stood there before, and where results go.
template <class T>
struct StateSumKernels {
  using Kernel = void (*)(const StateBatch&, const T*, const WeightedSum<T>&, const T*, T*);
  Kernel move, scale, add;
};

// The kernels for this CPU.
template <class T>
const StateSumKernels<T>& state_sum_kernels();

// to = from + size · sum
template <class T>
void move_state(const StateBatch& batch, const T* sizes, const WeightedSum<T>& sum, const T* from, T* to) {
  state_sum_kernels<T>().move(batch, sizes, sum, from, to);
}

// to = size · sum; zero for a sample that takes no part
template <class T>
void scaled_sum(const StateBatch& batch, const T* sizes, const WeightedSum<T>& sum, T* to) {
  state_sum_kernels<T>().scale(batch, sizes, sum, to, to);
}

// target += sum, for samples that take part
template <class T>
void add_where_moving(const StateBatch& batch, const T* sizes, const WeightedSum<T>& sum, T* target) {
  state_sum_kernels<T>().add(batch, sizes, sum, target, target);
}

extern template const StateSumKernels<float>& state_sum_kernels();
extern template const StateSumKernels<double>& state_sum_kernels();

}  // namespace greybox
