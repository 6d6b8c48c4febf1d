// The public evaluator: checks what it is given and hands it on.
#include "greybox/evaluator.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "model/point_evaluator.hpp"

namespace greybox {
namespace {

void check_size(const char* what, std::size_t given, std::size_t needed) {
  if (given != needed)
    throw std::invalid_argument(fmt::format("`{}` has {} values where {} are needed", what, given, needed));
}

void check_size_if_given(const char* what, std::size_t given, std::size_t needed) {
  if (given != 0) check_size(what, given, needed);
}

}  // namespace

Evaluator make_evaluator(const LoadedModel& loaded, std::span<const double> weights,
                         std::span<const double> theta, std::optional<std::size_t> window) {
  const auto plan = std::make_shared<const PointPlan>(loaded, weights, window);
  check_size("theta", theta.size(), plan->parameters().size());
  return Evaluator(std::make_unique<PointEvaluator>(plan, theta));
}

Evaluator::Evaluator(std::unique_ptr<PointEvaluator> evaluator) : evaluator_(std::move(evaluator)) {}
Evaluator::Evaluator(const Evaluator& other)
    : evaluator_(std::make_unique<PointEvaluator>(*other.evaluator_)) {}
Evaluator::Evaluator(Evaluator&& other) noexcept = default;
Evaluator& Evaluator::operator=(const Evaluator& other) {
  if (this != &other) evaluator_ = std::make_unique<PointEvaluator>(*other.evaluator_);
  return *this;
}
Evaluator& Evaluator::operator=(Evaluator&& other) noexcept = default;
Evaluator::~Evaluator() = default;

bool Evaluator::is_algebraic() const {
  return evaluator_->plan().model().is_algebraic();
}
const std::vector<Evaluator::Variable>& Evaluator::states() const {
  return evaluator_->plan().states();
}
const std::vector<Evaluator::Variable>& Evaluator::components() const {
  return evaluator_->plan().components(Quantity::total);
}
const std::vector<Evaluator::Variable>& Evaluator::outputs() const {
  return evaluator_->plan().components(Quantity::observed);
}
const std::vector<std::string>& Evaluator::parameters() const {
  return evaluator_->plan().parameters();
}
const std::vector<std::string>& Evaluator::inputs() const {
  return evaluator_->plan().inputs();
}
std::size_t Evaluator::n_inputs() const {
  return evaluator_->plan().n_inputs();
}
std::size_t Evaluator::n_states() const {
  return evaluator_->plan().n_states();
}
std::size_t Evaluator::size(Quantity of) const {
  return evaluator_->plan().size(of);
}

void Evaluator::set_theta(std::span<const double> theta) {
  check_size("theta", theta.size(), n_parameters());
  evaluator_->set_theta(theta);
}
std::span<const double> Evaluator::theta() const {
  return evaluator_->theta();
}
void Evaluator::set_inputs(std::span<const double> values) {
  check_size("values", values.size(), n_inputs());
  evaluator_->set_inputs(values);
}
void Evaluator::use_window_inputs() {
  evaluator_->use_window_inputs();
}
void Evaluator::set_start_time(double t0) {
  evaluator_->set_start_time(t0);
}
double Evaluator::start_time() const {
  return evaluator_->start_time();
}
void Evaluator::initial_state(std::span<double> out) {
  check_size("out", out.size(), n_states());
  evaluator_->initial_state(out);
}

void Evaluator::evaluate(Quantity of, double t, std::span<const double> state, std::span<double> out) {
  check_size("state", state.size(), n_states());
  check_size("out", out.size(), size(of));
  evaluator_->evaluate(of, t, state, out);
}
void Evaluator::derivative(double t, std::span<const double> state, std::span<double> out) {
  if (is_algebraic()) throw std::logic_error("an algebraic model has no derivative in time: call value");
  evaluate(Quantity::total, t, state, out);
}
void Evaluator::value(std::span<const double> columns, std::span<double> out) {
  if (!is_algebraic())
    throw std::logic_error("only an algebraic model has a value: of a model with states call derivative");
  evaluate(Quantity::total, 0, columns, out);
}
void Evaluator::theory(double t, std::span<const double> state, std::span<double> out) {
  evaluate(Quantity::theory, t, state, out);
}
void Evaluator::network(double t, std::span<const double> state, std::span<double> out) {
  evaluate(Quantity::network, t, state, out);
}
void Evaluator::observe(double t, std::span<const double> state, std::span<double> out) {
  evaluate(Quantity::observed, t, state, out);
}

void Evaluator::jacobian(double t, std::span<const double> state, std::span<double> out, Quantity of) {
  check_size("state", state.size(), n_states());
  check_size("out", out.size(), size(of) * n_states());
  evaluator_->jacobian(of, t, state, out);
}
void Evaluator::jacobian_vector(double t, std::span<const double> state, std::span<const double> tangent,
                                std::span<double> out, Quantity of) {
  check_size("state", state.size(), n_states());
  check_size("tangent", tangent.size(), n_states());
  check_size("out", out.size(), size(of));
  evaluator_->jacobian_vector(of, t, state, tangent, out);
}
void Evaluator::vector_jacobian(double t, std::span<const double> state, std::span<const double> cotangent,
                                const Gradients& gradients, Quantity of) {
  check_size("state", state.size(), n_states());
  check_size("cotangent", cotangent.size(), size(of));
  check_size_if_given("gradients.state", gradients.state.size(), n_states());
  check_size_if_given("gradients.theta", gradients.theta.size(), n_parameters());
  check_size_if_given("gradients.inputs", gradients.inputs.size(), n_inputs());
  evaluator_->vector_jacobian(of, t, state, cotangent, gradients);
}

}  // namespace greybox
