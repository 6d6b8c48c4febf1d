// Stages that are given by an equation, k = f(s + h Σ a_j k_j + h γ k): solved sample by sample with Newton's
// method, and its adjoint.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "ode/error_norm.hpp"
#include "ode/right_hand_side.hpp"
#include "ode/small_lu.hpp"
#include "ode/stages.hpp"

namespace greybox {

// The step that samples are in. Samples of size zero take no part.
template <class T>
struct StepUnderWay {
  StateBatch batch;
  const T* sizes;
  const T* state;  // at the step's start
};

// Newton's iteration with the Jacobian of the step's start goes on until rounding ends it, so that the
// adjoint of the stages' equations is the derivative of what forward computes.
template <class T>
class ImplicitStages {
 public:
  // The tableau must outlive this.
  ImplicitStages(const Tableau& tableau, const ErrorTolerance& tolerance, const StateLayout& layout,
                 std::size_t capacity);

  // Before the first stage of a step; `at` is the step's start.
  void begin_step(const StepUnderWay<T>& step, const EvaluationPoint<T>& at, RightHandSide<T>& rhs);
  // Leaves the derivative in `stages` and the state that belongs to it in `stage_state`; derivatives of
  // samples whose iteration fails become NaN. The time is that of `at`; its weights must be zero.
  void solve(const StepUnderWay<T>& step, std::size_t stage, const EvaluationPoint<T>& at, Stages<T>& stages,
             T* stage_state, RightHandSide<T>& rhs);

  // With g = (∂f/∂s)ᵀ k̄ + r, where k̄ is the gradient of the stage's derivative without the share of its own
  // state: adds that share. Writes the rest of the derivative's gradient, and the whole of the state's over
  // g.
  void solve_adjoint(const StepUnderWay<T>& step, const EvaluationPoint<T>& at, const T* stage_state,
                     RightHandSide<T>& rhs, T* grad_state, T* grad_derivative);

 private:
  enum class Progress : std::uint8_t { going_on, converged, failed };

  void factorise(const StepUnderWay<T>& step);
  bool update(const StepUnderWay<T>& step, std::size_t n_done, T* derivative, const T* stage_state);
  Progress judge(double norm, double previous, std::size_t n_done) const;
  SmallLu factors(std::size_t sample);
  void load(std::size_t sample, const T* values);
  void store(std::size_t sample, T* values) const;

  const Tableau* tableau_;
  ErrorNorm<T> norm_;
  StateLayout layout_;
  double diagonal_;
  double converged_, rounding_;      // norms of updates
  std::vector<std::size_t> places_;  // per entry of a sample's state: of sample 0 in a state
  std::vector<std::size_t> widths_;  // and how far the next sample's is away
  StateRows<T> jacobian_;
  AlignedBuffer<T> values_, change_;
  std::vector<double> matrices_, norms_, entries_;
  std::vector<std::size_t> pivots_;
  std::vector<Progress> progress_;
};

extern template class ImplicitStages<float>;
extern template class ImplicitStages<double>;

}  // namespace greybox
