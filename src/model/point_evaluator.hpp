// Behind greybox::Evaluator: a trained model at one point at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "greybox/evaluator.hpp"
#include "model/point_block.hpp"

namespace greybox {

// Copies share the plan, which never changes, and nothing else. Sizes of spans are the caller's business.
class PointEvaluator {
 public:
  using Quantity = Evaluator::Quantity;

  PointEvaluator(std::shared_ptr<const PointPlan> plan, std::span<const double> theta);
  PointEvaluator(const PointEvaluator& other);
  PointEvaluator& operator=(const PointEvaluator&) = delete;

  const PointPlan& plan() const { return *plan_; }
  std::span<const double> theta() const { return theta_; }
  double start_time() const { return start_time_; }

  // Throws InputError for values outside the bounds.
  void set_theta(std::span<const double> theta);
  void set_start_time(double t0);
  void set_inputs(std::span<const double> values);
  void use_window_inputs() { has_inputs_ = false; }
  void initial_state(std::span<double> out);

  void evaluate(Quantity of, double t, std::span<const double> state, std::span<double> out);
  void jacobian(Quantity of, double t, std::span<const double> state, std::span<double> out);
  void jacobian_vector(Quantity of, double t, std::span<const double> state, std::span<const double> tangent,
                       std::span<double> out);
  void vector_jacobian(Quantity of, double t, std::span<const double> state,
                       std::span<const double> cotangent, const Evaluator::Gradients& gradients);

 private:
  void check_theta(std::span<const double> theta) const;
  void forward(PointBlock& block, Quantity of, double t, std::span<const double> state);
  // Calls f(row, sample) for every row of the Jacobian, whose gradient is then that of the block's sample.
  template <class F>
  void for_rows(PointBlock& block, Quantity of, F&& f);

  std::shared_ptr<const PointPlan> plan_;
  NetworkSet<double> networks_;
  PointBlock point_;
  std::optional<PointBlock> rows_;  // of a Jacobian, several at a time; models without fields only
  std::vector<double> theta_, inputs_;
  bool has_inputs_ = false;
  double start_time_ = 0;
};

// The evaluator of a model with these weights, at θ. `window`: of the loaded data; for networks that read
// the window, and for its inputs, times and initial state. Throws InputError for θ outside the bounds, where
// there is no such window, and where a network reads the window and none is given; std::invalid_argument for
// wrong numbers of weights or parameters.
Evaluator make_evaluator(const LoadedModel& loaded, std::span<const double> weights,
                         std::span<const double> theta, std::optional<std::size_t> window = {});

}  // namespace greybox
