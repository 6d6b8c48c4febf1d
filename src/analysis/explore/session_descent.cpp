// Descents of a session: a regularizer minimised over some of the parameters, the others held.
#include <algorithm>
#include <cmath>
#include <exception>
#include <nlopt.hpp>

#include "analysis/explore/session.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/theta/theta_objective.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

// Of one evaluation with its gradient, which takes about as long as three without.
constexpr double kStepSeconds = 0.05, kQuickStepSeconds = 0.004, kGradientPrice = 3;
constexpr double kHeldTolerance = 1e-6, kHeldFirstStep = 0.1;
// What an L of twice the limit costs, in units of the size of R.
constexpr double kHeldPrice = 100, kHeldLeastSize = 1e-6;

// R over the free parameters, in coordinates in which the likely range of each has length 1.
class HeldProblem {
 public:
  using Step = std::function<ThetaObjective<double>::Value(std::vector<double>& gradient,
                                                           const std::vector<double>& theta)>;

  HeldProblem(const ThetaBox& box, const DescentRequest& request, Step step)
      : box_(box), theta_(request.point.theta), gradient_(box.size()), step_(std::move(step)) {
    for (std::size_t p = 0; p < box.size(); ++p)
      if (request.is_free[p]) free_.push_back(p);
    best_.theta = theta_;
    best_.regularizer = best_.loss = lowest_ = kNaN;
  }

  std::size_t size() const { return free_.size(); }
  double scaled(std::size_t k, double theta) const {
    const std::size_t p = free_[k];
    return (box_.coordinate(p, theta) - low(p)) / width(p);
  }
  std::vector<double> start() const {
    std::vector<double> u;
    for (std::size_t k = 0; k < size(); ++k) u.push_back(scaled(k, best_.theta[free_[k]]));
    return u;
  }
  // Where the networks were trained, and the start: beyond, a line search would meet values that mean
  // nothing.
  std::pair<std::vector<double>, std::vector<double>> bounds() const {
    std::pair<std::vector<double>, std::vector<double>> ends{std::vector<double>(size(), 0.0),
                                                             std::vector<double>(size(), 1.0)};
    const std::vector<double> from = start();
    for (std::size_t k = 0; k < size(); ++k) {
      ends.first[k] = std::min(ends.first[k], from[k]);
      ends.second[k] = std::max(ends.second[k], from[k]);
    }
    return ends;
  }

  double evaluate(const std::vector<double>& u, std::vector<double>& grad_u) {
    for (std::size_t k = 0; k < size(); ++k)
      theta_[free_[k]] = box_.theta(free_[k], low(free_[k]) + u[k] * width(free_[k]));
    box_.project(theta_);
    const auto value = step_(gradient_, theta_);
    ++n_evaluations_;
    if (std::isnan(lowest_) || value.total < lowest_) {
      best_ = {theta_, value.regularizer, value.loss};
      lowest_ = value.total;
    }
    for (std::size_t k = 0; k < grad_u.size(); ++k)
      grad_u[k] = gradient_[free_[k]] * width(free_[k]) * (box_.is_log(free_[k]) ? theta_[free_[k]] : 1);
    return std::isnan(value.total) ? kInfinity : value.total;
  }

  // Values so far count no more: something else is minimised from now on.
  void forget() { lowest_ = kNaN; }
  const DescentStep& best() const { return best_; }
  std::size_t n_evaluations() const { return n_evaluations_; }

  std::exception_ptr thrown;

 private:
  double low(std::size_t p) const { return box_.coordinate(p, box_.likely_low()[p]); }
  double width(std::size_t p) const { return box_.coordinate(p, box_.likely_high()[p]) - low(p); }

  const ThetaBox& box_;
  std::vector<std::size_t> free_;
  std::vector<double> theta_, gradient_;
  Step step_;
  DescentStep best_;
  double lowest_;
  std::size_t n_evaluations_ = 0;
};

double call_held(const std::vector<double>& u, std::vector<double>& grad_u, void* data) {
  auto* const problem = static_cast<HeldProblem*>(data);
  try {
    return problem->evaluate(u, grad_u);
  } catch (...) {
    problem->thrown = std::current_exception();
    throw nlopt::forced_stop();
  }
}

void minimise_held(HeldProblem& problem, std::size_t n_evaluations) {
  nlopt::opt optimiser(nlopt::LD_LBFGS, static_cast<unsigned>(problem.size()));
  const auto [low, high] = problem.bounds();
  optimiser.set_lower_bounds(low);
  optimiser.set_upper_bounds(high);
  optimiser.set_xtol_abs(kHeldTolerance);
  optimiser.set_maxeval(static_cast<int>(n_evaluations));
  optimiser.set_initial_step(kHeldFirstStep);
  optimiser.set_min_objective(call_held, &problem);
  std::vector<double> u = problem.start();
  try {
    double lowest = 0;
    optimiser.optimize(u, lowest);
  } catch (const std::runtime_error&) {
    // Rounding, or a line search that fails at a kink of |mean(…)|: what was found stands.
  }
  if (problem.thrown) std::rethrow_exception(problem.thrown);
}

// Ends a descent from inside.
struct DescentOver {};

}  // namespace

std::optional<DescentEnd> ExploreSession::descend(const DescentRequest& request, const Ticket& ticket,
                                                  const std::function<bool(const DescentStep&)>& sink) {
  const std::shared_ptr<ExploredModel> current_model = current();
  check(*current_model, request.point);
  if (std::find(request.is_free.begin(), request.is_free.end(), true) == request.is_free.end())
    refuse_option("free", "every parameter is locked", "unlock one that may move");
  record_look(request.point.split);
  std::optional<OpenedRun> other;
  std::size_t place = regularizer_place(*current_model->run.loaded.model, request.regularizer);
  if (place == current_model->run.loaded.model->regularizers.size()) {
    other = open_run(current_model->run.handle, {{}, {request.regularizer}, "regularizer"});
    place = regularizer_place(*other->loaded.model, request.regularizer);
  }
  const OpenedRun& run = other ? *other : current_model->run;
  const double seconds = (request.is_quick ? kQuickStepSeconds : kStepSeconds) / kGradientPrice;
  const std::vector<std::size_t> windows =
      stratified_draw(windows_of(request.point.split), n_affordable(seconds));
  ThetaObjective<double> objective(run.loaded, current_model->networks->weights[request.point.network], place,
                                   windows.size(), pool_);
  objective.set_windows(windows);
  const auto step = [&](std::vector<double>& gradient, const std::vector<double>& theta) {
    const Turns::Turn turn(turns_, request.is_quick ? Urgency::at_once : Urgency::patient);
    if (is_over(ticket)) throw DescentOver();
    const auto value = objective.evaluate(theta);
    objective.gradient(gradient);
    if (sink && !sink({theta, value.regularizer, value.loss})) throw DescentOver();
    return value;
  };
  HeldProblem problem(box_, request, step);
  try {
    minimise_held(problem, request.n_evaluations);
    // As an estimate does: where R is lowest at a θ that does not fit, once more at a price for it.
    if (problem.best().loss > run.loss_limit()) {
      objective.keep_to(run.loss_limit(),
                        kHeldPrice * std::max(std::abs(problem.best().regularizer), kHeldLeastSize));
      problem.forget();
      minimise_held(problem, request.n_evaluations);
    }
  } catch (const DescentOver&) {
    return std::nullopt;
  }
  return DescentEnd{problem.best(), problem.n_evaluations(), windows.size()};
}

}  // namespace greybox
