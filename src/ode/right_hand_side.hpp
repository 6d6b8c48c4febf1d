// What is integrated: ds/dt = f(t, s) for many samples at once, and its adjoint.
#pragma once

#include <cstddef>

namespace greybox {

// One evaluation of the right-hand side, for all samples at once. A weight of zero marks a sample for which
// this evaluation does not count (its interval is finished, or it has diverged).
template <class T>
struct EvaluationPoint {
  std::size_t slot;      // where the right-hand side may keep what its adjoint needs
  std::size_t interval;  // between output times `interval` and `interval + 1`
  const T* time;         // per sample
  const T* weight;       // per sample: this evaluation's share in means over the trajectory
};

// The right-hand side of ds/dt = f(t, s), and its adjoint.
template <class T>
class RightHandSide {
 public:
  virtual ~RightHandSide() = default;
  virtual void evaluate(const EvaluationPoint<T>& at, const T* state, T* derivative) = 0;
  // Called after `evaluate` with the same slot and nothing else in it since. Overwrites grad_state with
  // (df/ds)ᵀ grad_derivative plus whatever else depends on this evaluation (terms of a regularizer).
  virtual void adjoint(const EvaluationPoint<T>& at, const T* state, const T* grad_derivative,
                       T* grad_state) = 0;
  // All adjoints of slots [first, first + n) are done.
  virtual void step_done(std::size_t first_slot, std::size_t n_slots) { (void)first_slot, (void)n_slots; }
};

}  // namespace greybox
