#include "model/point_evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/denormals.hpp"

namespace greybox {
namespace {

// Rows of a Jacobian per reverse pass: enough to fill the tiles of the products.
constexpr std::size_t kMostRows = 16;

std::size_t rows_at_once(const PointPlan& plan) {
  // A field fills the vectors by itself, and batch norm would tie the rows together.
  if (plan.has_fields()) return 1;
  std::size_t most = 1;
  for (std::size_t q = 0; q < PointPlan::kQuantities; ++q)
    most = std::max(most, plan.size(static_cast<PointPlan::Quantity>(q)));
  return std::min(most, kMostRows);
}

NetworkSet<double> networks_with(const PointPlan& plan) {
  NetworkSet<double> networks(plan.model());
  networks.set_weights(plan.weights());
  return networks;
}

}  // namespace

PointEvaluator::PointEvaluator(std::shared_ptr<const PointPlan> plan, std::span<const double> theta)
    : plan_(std::move(plan)), networks_(networks_with(*plan_)), point_(*plan_, networks_, 1) {
  const std::size_t n_rows = rows_at_once(*plan_);
  if (n_rows > 1) rows_.emplace(*plan_, networks_, n_rows);
  theta_.resize(plan_->parameters().size());
  inputs_.resize(plan_->n_inputs());
  start_time_ = point_.start_time();
  set_theta(theta);
}

PointEvaluator::PointEvaluator(const PointEvaluator& other) : PointEvaluator(other.plan_, other.theta_) {
  set_start_time(other.start_time_);
  if (other.has_inputs_) set_inputs(other.inputs_);
}

void PointEvaluator::check_theta(std::span<const double> theta) const {
  const std::vector<ParameterSpec>& parameters = plan_->model().spec->parameters;
  std::vector<Diagnostic> mistakes;
  for (std::size_t p = 0; p < theta.size(); ++p)
    if (!(theta[p] >= parameters[p].low && theta[p] <= parameters[p].high))
      mistakes.push_back(Diagnostic{
          .message = fmt::format("{} = {} is outside its bounds", parameters[p].name, theta[p]),
          .help = fmt::format("the model file allows {} to {}", parameters[p].low, parameters[p].high)});
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
}

void PointEvaluator::set_theta(std::span<const double> theta) {
  check_theta(theta);
  const FlushToZeroScope flush_to_zero;
  std::ranges::copy(theta, theta_.begin());
  point_.set_theta(theta);
  if (rows_) rows_->set_theta(theta);
}

void PointEvaluator::set_start_time(double t0) {
  const FlushToZeroScope flush_to_zero;
  start_time_ = t0;
  point_.set_start_time(t0);
  if (rows_) rows_->set_start_time(t0);
}

void PointEvaluator::set_inputs(std::span<const double> values) {
  std::ranges::copy(values, inputs_.begin());
  has_inputs_ = true;
}

void PointEvaluator::initial_state(std::span<double> out) {
  if (plan_->data() == nullptr)
    throw std::logic_error("an initial state needs a window of the data, and the evaluator has none");
  point_.copy_initial(out);
}

void PointEvaluator::forward(PointBlock& block, Quantity of, double t, std::span<const double> state) {
  if (plan_->reads_inputs(of)) {
    if (has_inputs_)
      block.set_inputs(inputs_);
    else if (plan_->data() != nullptr)
      block.take_window_inputs(t);
    else
      throw std::logic_error(
          fmt::format("the model reads inputs without values ({}): call set_inputs, or give a window",
                      fmt::join(plan_->inputs(), ", ")));
  }
  block.forward(of, plan_->model().is_algebraic() ? 0 : t, state);
}

void PointEvaluator::evaluate(Quantity of, double t, std::span<const double> state, std::span<double> out) {
  const FlushToZeroScope flush_to_zero;
  forward(point_, of, t, state);
  point_.copy_values(of, out);
}

template <class F>
void PointEvaluator::for_rows(PointBlock& block, Quantity of, F&& f) {
  const std::size_t n_rows = plan_->size(of);
  for (std::size_t first = 0; first < n_rows; first += block.n_samples()) {
    const std::size_t n = std::min(block.n_samples(), n_rows - first);
    block.clear_gradients(of);
    for (std::size_t i = 0; i < n; ++i) block.seed_unit(of, i, first + i);
    block.reverse(of);
    for (std::size_t i = 0; i < n; ++i) f(first + i, i);
  }
}

void PointEvaluator::jacobian(Quantity of, double t, std::span<const double> state, std::span<double> out) {
  const FlushToZeroScope flush_to_zero;
  PointBlock& block = rows_ ? *rows_ : point_;
  forward(block, of, t, state);
  const std::size_t n = plan_->n_states();
  for_rows(block, of, [&](std::size_t row, std::size_t sample) {
    block.copy_state_gradient(sample, out.subspan(row * n, n));
  });
}

// Networks have no forward mode: where several rows of the Jacobian cost little more than one, they are the
// quickest way through a network.
void PointEvaluator::jacobian_vector(Quantity of, double t, std::span<const double> state,
                                     std::span<const double> tangent, std::span<double> out) {
  const FlushToZeroScope flush_to_zero;
  if (!rows_ || plan_->quantity(of).calls().empty()) {
    forward(point_, of, t, state);
    return point_.tangent(of, tangent, out);
  }
  forward(*rows_, of, t, state);
  for_rows(*rows_, of, [&](std::size_t row, std::size_t sample) {
    out[row] = rows_->state_gradient_along(sample, tangent);
  });
}

void PointEvaluator::vector_jacobian(Quantity of, double t, std::span<const double> state,
                                     std::span<const double> cotangent,
                                     const Evaluator::Gradients& gradients) {
  const FlushToZeroScope flush_to_zero;
  forward(point_, of, t, state);
  point_.clear_gradients(of);
  point_.seed(of, 0, cotangent);
  point_.reverse(of);
  point_.copy_input_gradient(gradients.inputs);
  if (!gradients.state.empty()) point_.copy_state_gradient(0, gradients.state);
  if (gradients.theta.empty()) return;
  point_.reverse_sample_stage(of);
  point_.copy_theta_gradient(gradients.theta);
}

}  // namespace greybox
