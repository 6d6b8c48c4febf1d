// A trained model at points that the caller gives: values, theory and network parts, and exact derivatives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace greybox {

class PointEvaluator;

// The right-hand side ds/dt = f(t, s; θ, u) of a trained model, or the output y = f(columns; θ) of an
// algebraic model (one without [state]), at fixed weights. All arithmetic is in double. Nothing allocates
// after construction except to throw, so an evaluator suits control loops and ODE solvers.
//
// An evaluator keeps θ, inputs and scratch memory: one thread at a time. A copy is independent of the
// original and costs its memory once more; give every thread its own. A moved-from evaluator may only be
// assigned to or destroyed.
//
// A point is a flat array of numbers, the variables of `states()` one after another; a field is given
// row-major, height × width. Spans of a wrong size throw std::invalid_argument. Values that are not finite
// are passed on, not reported. Batch norm takes its statistics from the one point, as a prediction of a
// single window does.
//
//   greybox::Evaluator f = ...;                     // of a run
//   std::vector<double> s = {0.3, -1.0}, ds(f.n_states());
//   f.derivative(t, s, ds);                         // ds/dt
class Evaluator {
 public:
  // A named variable; height × width numbers.
  struct Variable {
    std::string name;
    std::size_t height = 1, width = 1;
    std::size_t points() const { return height * width; }
  };

  // What can be evaluated and differentiated. Theory and network have the components of the total, which
  // [composition] makes of them (their sum unless the model says otherwise).
  enum class Quantity : std::uint8_t { total, theory, network, observed };

  // Where vector_jacobian writes; an empty span is not computed.
  struct Gradients {
    std::span<double> state{}, theta{}, inputs{};
  };

  // For the library's own use.
  explicit Evaluator(std::unique_ptr<PointEvaluator> evaluator);
  Evaluator(const Evaluator& other);
  Evaluator(Evaluator&& other) noexcept;
  Evaluator& operator=(const Evaluator& other);
  Evaluator& operator=(Evaluator&& other) noexcept;
  ~Evaluator();

  bool is_algebraic() const;
  // What a point holds: the states; of an algebraic model the data columns that it reads.
  const std::vector<Variable>& states() const;
  // What total, theory and network hold: one component per state; of an algebraic model its outputs.
  const std::vector<Variable>& components() const;
  // What `observe` gives: the variables of [observe].
  const std::vector<Variable>& outputs() const;
  const std::vector<std::string>& parameters() const;
  // The exogenous inputs u of [inputs].
  const std::vector<std::string>& inputs() const;

  // Counts of numbers: a field counts as many as it has points.
  std::size_t n_states() const;
  std::size_t n_components() const { return size(Quantity::total); }
  std::size_t n_outputs() const { return size(Quantity::observed); }
  std::size_t n_parameters() const { return parameters().size(); }
  std::size_t n_inputs() const;
  std::size_t size(Quantity of) const;

  // θ in the order of `parameters()`. Throws InputError for values outside the model's bounds, and then keeps
  // the θ it had. Runs whatever depends on θ alone, so that evaluations need not.
  void set_theta(std::span<const double> theta);
  std::span<const double> theta() const;

  // The inputs u from now on, whatever the time. Before the first call they are those of the window, linear
  // between its snapshots and constant beyond its ends; without a window an evaluation that reads them throws
  // std::logic_error.
  void set_inputs(std::span<const double> values);
  // As before the first call of set_inputs.
  void use_window_inputs();

  // Times t count from the window's first snapshot; `t0` of the equations is the clock time there: the
  // window's, or 0 without one. In an algebraic model t is always 0, whatever is given.
  void set_start_time(double t0);
  double start_time() const;

  // The point of the window's first snapshot: [state], or the columns of an algebraic model. Throws
  // std::logic_error without a window.
  void initial_state(std::span<double> out);

  // ds/dt; throws std::logic_error for an algebraic model.
  void derivative(double t, std::span<const double> state, std::span<double> out);
  // The output of an algebraic model; throws std::logic_error for any other.
  void value(std::span<const double> columns, std::span<double> out);
  void theory(double t, std::span<const double> state, std::span<double> out);
  void network(double t, std::span<const double> state, std::span<double> out);
  void observe(double t, std::span<const double> state, std::span<double> out);
  // Any of the above.
  void evaluate(Quantity of, double t, std::span<const double> state, std::span<double> out);

  // ∂q/∂s: size(of) × n_states(), row-major.
  void jacobian(double t, std::span<const double> state, std::span<double> out,
                Quantity of = Quantity::total);
  // (∂q/∂s) v. With a grid this takes as many reverse passes through a network as that has output values: a
  // conv2d is as dear as the whole Jacobian.
  void jacobian_vector(double t, std::span<const double> state, std::span<const double> tangent,
                       std::span<double> out, Quantity of = Quantity::total);
  // vᵀ ∂q/∂s, vᵀ ∂q/∂θ and vᵀ ∂q/∂u, in one reverse pass.
  void vector_jacobian(double t, std::span<const double> state, std::span<const double> cotangent,
                       const Gradients& gradients, Quantity of = Quantity::total);

 private:
  std::unique_ptr<PointEvaluator> evaluator_;
};

}  // namespace greybox
