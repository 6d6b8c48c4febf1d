#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <nlopt.hpp>

#include "analysis/theta/minimise.hpp"

namespace greybox {
namespace {

constexpr double kTolerance = 1e-7;  // of coordinates, whose likely range has length 1
constexpr double kFirstStep = 0.1;

nlopt::algorithm algorithm_of(EstimateMethod method) {
  switch (method) {
    case EstimateMethod::bobyqa:
      return nlopt::LN_BOBYQA;
    case EstimateMethod::direct:
      return nlopt::GN_DIRECT_L;
    default:
      return nlopt::LD_LBFGS;
  }
}

// θ in coordinates of the box, and the best of all that was asked for.
template <class T>
class ScaledProblem {
 public:
  ScaledProblem(ThetaObjective<T>& objective, const SearchRange& range, const OnStep& on_step)
      : objective_(objective),
        range_(range),
        box_(range.box()),
        on_step_(on_step),
        theta_(box_.size()),
        gradient_(box_.size()) {
    found_.regularizer = found_.loss = found_.total = std::numeric_limits<double>::quiet_NaN();
  }

  double width(std::size_t p) const { return range_.high(p) - range_.low(p); }
  double scaled(std::size_t p, double value) const {
    return (box_.coordinate(p, value) - range_.low(p)) / width(p);
  }

  double evaluate(const std::vector<double>& u, std::vector<double>& grad_u) {
    for (std::size_t p = 0; p < u.size(); ++p) theta_[p] = box_.theta(p, range_.low(p) + u[p] * width(p));
    box_.project(theta_);  // rounding must not leave the bounds
    const auto value = objective_.evaluate(theta_);
    ++found_.n_evaluations;
    remember(value);
    on_step_(found_.n_evaluations);
    if (!grad_u.empty()) {
      objective_.gradient(gradient_);
      for (std::size_t p = 0; p < u.size(); ++p)
        grad_u[p] = gradient_[p] * width(p) * (box_.is_log(p) ? theta_[p] : 1);
    }
    // Where a trajectory diverges there is no minimum.
    return std::isnan(value.total) ? std::numeric_limits<double>::infinity() : value.total;
  }

  // NLopt lets no exception through: it is kept here until the optimiser has returned.
  void keep(std::exception_ptr thrown) { thrown_ = std::move(thrown); }

  // Throws what a step has thrown.
  const PointEstimate& found() const {
    if (thrown_) std::rethrow_exception(thrown_);
    return found_;
  }

 private:
  void remember(const typename ThetaObjective<T>::Value& value) {
    if (!found_.theta.empty() && !(value.total < found_.total) && !std::isnan(found_.total)) return;
    found_.theta = theta_;
    found_.total = value.total;
    found_.regularizer = value.regularizer;
    found_.loss = value.loss;
  }

  ThetaObjective<T>& objective_;
  const SearchRange& range_;
  const ThetaBox& box_;
  const OnStep& on_step_;
  std::vector<double> theta_, gradient_;
  PointEstimate found_;
  std::exception_ptr thrown_;
};

template <class T>
double call(const std::vector<double>& u, std::vector<double>& grad_u, void* problem) {
  auto* const scaled = static_cast<ScaledProblem<T>*>(problem);
  try {
    return scaled->evaluate(u, grad_u);
  } catch (...) {
    scaled->keep(std::current_exception());
    throw nlopt::forced_stop();
  }
}

template <class T>
nlopt::opt make_optimiser(const ScaledProblem<T>& problem, const ThetaBox& box, const PointOptions& options) {
  nlopt::opt optimiser(algorithm_of(options.method), static_cast<unsigned>(box.size()));
  const bool needs_finite_box = options.method == EstimateMethod::direct;
  std::vector<double> low, high;
  for (std::size_t p = 0; p < box.size(); ++p) {
    low.push_back(needs_finite_box ? 0 : problem.scaled(p, box.low()[p]));
    high.push_back(needs_finite_box ? 1 : problem.scaled(p, box.high()[p]));
  }
  optimiser.set_lower_bounds(low);
  optimiser.set_upper_bounds(high);
  optimiser.set_xtol_abs(kTolerance);
  optimiser.set_maxeval(static_cast<int>(options.n_steps));
  if (!needs_finite_box) optimiser.set_initial_step(kFirstStep);
  return optimiser;
}

}  // namespace

template <class T>
PointEstimate minimise_with_nlopt(ThetaObjective<T>& objective, const SearchRange& range,
                                  const std::vector<double>& start, const PointOptions& options,
                                  const OnStep& on_step) {
  ScaledProblem<T> problem(objective, range, on_step);
  nlopt::opt optimiser = make_optimiser(problem, range.box(), options);
  optimiser.set_min_objective(call<T>, &problem);
  std::vector<double> u;
  for (std::size_t p = 0; p < start.size(); ++p) u.push_back(problem.scaled(p, start[p]));
  if (options.method == EstimateMethod::direct) std::fill(u.begin(), u.end(), 0.5);
  try {
    double lowest = 0;
    optimiser.optimize(u, lowest);
  } catch (const nlopt::roundoff_limited&) {
    // No further progress within rounding: what was found stands.
  } catch (const std::runtime_error&) {
    // A line search that fails at a kink of |mean(…)| or at a point that is not finite: what was found
    // stands.
  }
  return problem.found();
}

template PointEstimate minimise_with_nlopt(ThetaObjective<float>&, const SearchRange&,
                                           const std::vector<double>&, const PointOptions&, const OnStep&);
template PointEstimate minimise_with_nlopt(ThetaObjective<double>&, const SearchRange&,
                                           const std::vector<double>&, const PointOptions&, const OnStep&);

}  // namespace greybox
