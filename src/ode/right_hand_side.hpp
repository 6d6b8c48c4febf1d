// What is integrated: ds/dt = f(t, s) for many samples at once, and its adjoint.
#pragma once

#include <cstddef>

#include "core/require.hpp"
#include "ode/state_layout.hpp"

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
  // Called after `evaluate` with the same slot and nothing else in it since; again only after step_done.
  // Overwrites grad_state with
  // (df/ds)ᵀ grad_derivative plus whatever else depends on this evaluation (terms of a regularizer).
  virtual void adjoint(const EvaluationPoint<T>& at, const T* state, const T* grad_derivative,
                       T* grad_state) = 0;
  // Adds what the state jumps by at the start of an interval: numbers that depend on nothing, so that
  // adjoints pass through.
  virtual void jump(std::size_t interval, T* state) { (void)interval, (void)state; }
  // The Jacobian ∂f/∂s: row r has the derivatives of the state's entry r (components one after another, each
  // with its grid points), laid out as a state. Nothing is kept, and nothing else depends on it. Methods with
  // implicit stages ask for it.
  virtual void linearize(const EvaluationPoint<T>& at, const T* state, StateRows<T>& jacobian) {
    (void)at, (void)state, (void)jacobian;
    require(false, "this right-hand side has no Jacobian for methods with implicit stages");
  }
  // Quantities whose integrals over time methods with error control hold to their tolerances, as they do the
  // state; the values are those of the last evaluation, per sample.
  virtual std::size_t n_integrands() const { return 0; }
  virtual const T* integrand(std::size_t which) const {
    (void)which;
    return nullptr;
  }
  // All adjoints of slots [first, first + n) are done.
  virtual void step_done(std::size_t first_slot, std::size_t n_slots) { (void)first_slot, (void)n_slots; }
};

}  // namespace greybox
