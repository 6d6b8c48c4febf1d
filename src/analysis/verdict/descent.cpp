#include "analysis/verdict/descent.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <nlopt.hpp>
#include <span>

namespace greybox {
namespace {

constexpr double kCoordinateTolerance = 1e-6, kValueTolerance = 1e-9;
constexpr int kEvaluationsByGradient = 150, kEvaluationsPerAxis = 40;
constexpr double kFirstStepOfDescent = 0.05;

// One call of nlopt: all coordinates, of which some are free.
struct Problem {
  std::function<PricedValue(const std::vector<double>&, std::vector<double>*)> evaluate;
  const std::vector<std::size_t>& free;
  DescentPoint& best;
  // Minimises quantity · |quantity| / rise and the price of misfit; 0: the quantity itself and the price.
  double rise = 0;
  // The gradient is of the quantity, then of the price.
  std::vector<double> u, gradient;
};

double call_problem(const std::vector<double>& x, std::vector<double>& gradient, void* data) {
  Problem& problem = *static_cast<Problem*>(data);
  for (std::size_t k = 0; k < x.size(); ++k) problem.u[problem.free[k]] = x[k];
  const PricedValue value = problem.evaluate(problem.u, gradient.empty() ? nullptr : &problem.gradient);
  const bool is_squared = problem.rise > 0;
  const double factor = is_squared ? 2 * std::abs(value.quantity) / problem.rise : 1;
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    const std::size_t axis = problem.free[k];
    gradient[k] = factor * problem.gradient[axis] + problem.gradient[problem.u.size() + axis];
  }
  if (value.sum() < problem.best.value) problem.best = {problem.u, value.sum()};
  return is_squared ? value.quantity * std::abs(value.quantity) / problem.rise + value.price : value.sum();
}

}  // namespace

PricedValue Descent::evaluate(const std::vector<double>& u, std::vector<double>* gradient) {
  const std::size_t n = u.size();
  const std::vector<double> theta = coordinates_.theta(u);
  quantities_.evaluate(theta);
  PricedValue value{quantities_.value(quantity_), 0};
  const double misfit = limit_.is_active ? quantities_.value(quantities_.misfit()) : 0;
  const double excess = limit_.is_active && misfit > limit_.limit ? (misfit - limit_.limit) / limit_.unit : 0;
  value.price = limit_.price * excess * excess;
  if (gradient != nullptr) gradient->assign(2 * n, 0.0);
  if (!std::isfinite(value.sum())) return {std::numeric_limits<double>::infinity(), 0};
  if (gradient == nullptr) return value;
  const std::span<double> of_quantity(gradient->data(), n), of_price(gradient->data() + n, n);
  quantities_.gradient(quantity_, of_quantity);
  if (excess > 0) {
    quantities_.gradient(quantities_.misfit(), of_price);
    for (double& slope : of_price) slope *= limit_.price * 2 * excess / limit_.unit;
  }
  for (std::size_t p = 0; p < 2 * n; ++p) {
    (*gradient)[p] *= coordinates_.slope(p % n, u[p % n]);
    if (!std::isfinite((*gradient)[p])) (*gradient)[p] = 0;
  }
  return value;
}

double Descent::value(const std::vector<double>& u) {
  return evaluate(u, nullptr).sum();
}

void Descent::search(DescentPoint& best, const std::vector<std::size_t>& free, Search kind) {
  const bool by_gradient = kind != Search::no_gradient;
  Problem problem{
      [this](const std::vector<double>& u, std::vector<double>* gradient) { return evaluate(u, gradient); },
      free,
      best,
      kind == Search::squared ? rise_ : 0,
      best.u,
      std::vector<double>(2 * best.u.size())};
  nlopt::opt optimiser(by_gradient ? nlopt::LD_LBFGS : nlopt::LN_SBPLX, static_cast<unsigned>(free.size()));
  optimiser.set_lower_bounds(0);
  optimiser.set_upper_bounds(1);
  optimiser.set_xtol_abs(kCoordinateTolerance);
  optimiser.set_ftol_rel(kValueTolerance);
  optimiser.set_maxeval(by_gradient ? kEvaluationsByGradient
                                    : kEvaluationsPerAxis * static_cast<int>(free.size()));
  if (!by_gradient) optimiser.set_initial_step(kFirstStepOfDescent);
  optimiser.set_min_objective(call_problem, &problem);
  std::vector<double> x;
  for (std::size_t axis : free) x.push_back(best.u[axis]);
  try {
    double lowest = 0;
    optimiser.optimize(x, lowest);
  } catch (const std::runtime_error&) {
    // No progress within rounding, or a line search that fails at a kink: what was found stands.
  }
}

// By its gradient, over a step of the search without gradients, coordinates at an end of their range only
// inwards; or because it is as good as 0, below which no way led from there.
bool Descent::is_converged(const DescentPoint& point, const std::vector<std::size_t>& free) {
  if (point.value >= 0 && point.value <= kConverged * rise_) return true;
  std::vector<double> gradient;
  if (!std::isfinite(evaluate(point.u, &gradient).sum())) return false;
  double fall = 0;
  for (std::size_t axis : free) {
    const double slope = gradient[axis] + gradient[point.u.size() + axis];
    const double room = slope > 0 ? point.u[axis] : 1 - point.u[axis];
    fall += std::abs(slope) * std::min(room, kFirstStepOfDescent);
  }
  return fall <= kConverged * rise_;
}

// Regularizers of |mean(…)| have kinks along whole valleys, where gradients mislead; the square of a single
// one is smooth there, and so is its sum with the price of misfit, but not the square of that sum.
DescentPoint Descent::minimise(const std::vector<double>& start, const std::vector<std::size_t>& free) {
  DescentPoint best{start, value(start)};
  if (free.empty()) return best;
  for (Search kind : {Search::plain, Search::squared, Search::no_gradient}) {
    search(best, free, kind);
    if (is_converged(best, free)) break;
  }
  return best;
}

}  // namespace greybox
