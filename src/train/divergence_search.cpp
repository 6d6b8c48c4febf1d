#include "train/divergence_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "language/elementwise_function.hpp"
#include "model/point_evaluator.hpp"
#include "train/graph_fault.hpp"

namespace greybox {
namespace {

using Quantity = Evaluator::Quantity;

// Beyond it a single-precision number is infinite.
constexpr double kTooLarge = 1e38;
// Times as many steps, to tell coarse ones, and how many steps are worth the while.
constexpr std::size_t kFiner[] = {8, 64, 512, 4096};
constexpr std::size_t kMostSteps = 100'000;
constexpr std::size_t kPlannedSteps = 32;  // from snapshot to snapshot, of methods that choose their steps
constexpr std::size_t kMostNamed = 4;

bool is_usable(double value) {
  return std::abs(value) < kTooLarge;
}

// Where a number first was not usable.
struct Stop {
  double time = 0;
  std::vector<double> state;
  // Of `state`, or of the derivative there.
  std::size_t index = 0;
  bool is_of_derivative = false;
};

// One window at one θ, followed with steps of equal length.
class Trajectory {
 public:
  Trajectory(const LoadedModel& loaded, std::span<const double> weights, const std::vector<double>& theta,
             const NonFinite& cause)
      : evaluator_(make_evaluator(loaded, weights, theta, cause.window)),
        options_(loaded.spec->solver.options),
        start_(evaluator_.n_states()) {
    const Window& place = loaded.data->windows().windows[cause.window];
    for (std::size_t k = 0; k < place.n_rows; ++k)
      times_.push_back(loaded.data->table().time[place.first_row + k] -
                       loaded.data->table().time[place.first_row]);
    evaluator_.initial_state(start_);
    if (cause.value == NonFiniteValue::far_prediction)
      for (double value : start_) largest_state_ = std::min(largest_state_, kFarOff * (1 + std::abs(value)));
  }

  Evaluator& evaluator() { return evaluator_; }
  const std::vector<double>& start() const { return start_; }
  double step() const { return step_; }
  // Of the whole window.
  std::size_t n_steps() const {
    std::size_t n = 0;
    for (std::size_t k = 1; k < times_.size(); ++k) n += n_steps(times_[k] - times_[k - 1]);
    return n;
  }

  std::optional<Stop> follow(Quantity of, std::size_t finer) {
    std::vector<double> state = start_;
    for (std::size_t k = 1; k < times_.size(); ++k) {
      const double length = times_[k] - times_[k - 1];
      const std::size_t n = finer * n_steps(length);
      step_ = length / static_cast<double>(n);
      for (std::size_t i = 0; i < n; ++i)
        if (auto stop = advance(of, times_[k - 1] + static_cast<double>(i) * step_, state)) return stop;
    }
    return {};
  }

  // How long a step may be at the start, where the equations pull back too strongly for the planned one; 0
  // where they do not.
  double stable_step() {
    constexpr double reach = 2;  // of explicit methods, along the negative real axis
    std::vector<double> slope(start_.size()), change(start_.size());
    evaluator_.derivative(0, start_, slope);
    evaluator_.jacobian_vector(0, start_, slope, change);
    double product = 0, square = 0;
    for (std::size_t i = 0; i < slope.size(); ++i) {
      product += slope[i] * change[i];
      square += slope[i] * slope[i];
    }
    const double rate = product / square;
    const double length = times_[1] - times_[0];
    return -rate * length / static_cast<double>(n_steps(length)) > reach ? -reach / rate : 0;
  }

  // When the state first was far off, by whatever `follow` does.
  double seconds_to(std::size_t index, std::size_t finer) {
    watched_ = index;
    far_at_ = -1;
    follow(Quantity::total, finer);
    watched_.reset();
    return far_at_;
  }

 private:
  std::size_t n_steps(double length) const {
    if (options_.tableau->is_adaptive()) return kPlannedSteps;
    return options_.step > 0
               ? static_cast<std::size_t>(std::max(std::ceil(length / options_.step - 1e-9), 1.0))
               : 1;
  }

  std::optional<Stop> advance(Quantity of, double time, std::vector<double>& state) {
    const Tableau& tableau = *options_.tableau;
    const std::size_t n_stages = tableau.n_solution_stages();
    std::vector<std::vector<double>> slopes;
    for (std::size_t i = 0; i < n_stages; ++i) {
      std::vector<double> at = state;
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t c = 0; c < at.size(); ++c) at[c] += step_ * tableau.a[i][j] * slopes[j][c];
      if (const auto bad = first_beyond(largest_state_, at)) return Stop{time, at, *bad, false};
      std::vector<double>& slope = slopes.emplace_back(at.size());
      evaluator_.evaluate(of, time + tableau.c[i] * step_, at, slope);
      if (const auto bad = first_beyond(kTooLarge, slope))
        return Stop{time + tableau.c[i] * step_, at, *bad, true};
    }
    for (std::size_t j = 0; j < n_stages; ++j)
      for (std::size_t c = 0; c < state.size(); ++c) state[c] += step_ * tableau.b[j] * slopes[j][c];
    if (watched_ && far_at_ < 0 && std::abs(state[*watched_]) > kFarOff * (1 + std::abs(start_[*watched_])))
      far_at_ = time + step_;
    if (const auto bad = first_beyond(largest_state_, state)) return Stop{time + step_, state, *bad, false};
    return {};
  }

  static std::optional<std::size_t> first_beyond(double largest, const std::vector<double>& values) {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](double value) { return !(std::abs(value) < largest); });
    if (found == values.end()) return {};
    return static_cast<std::size_t>(found - values.begin());
  }

  Evaluator evaluator_;
  IntegratorOptions options_;
  std::vector<double> start_, times_;
  double step_ = 0, largest_state_ = kTooLarge;
  std::optional<std::size_t> watched_;
  double far_at_ = -1;
};

// Which variable a number of a point belongs to.
std::size_t variable_of(const std::vector<Evaluator::Variable>& variables, std::size_t index) {
  std::size_t k = 0;
  while (index >= variables[k].points()) index -= variables[k++].points();
  return k;
}

std::string state_text(const std::vector<Evaluator::Variable>& variables, const std::vector<double>& state) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t k = 0; k < std::min(variables.size(), kMostNamed); ++k) {
    if (variables[k].points() == 1)
      text += fmt::format("{}{} = {:.4g}", text.empty() ? " at " : ", ", variables[k].name, state[at]);
    at += variables[k].points();
  }
  return text;
}

// A derivative that is no number: in the theory, or in the network.
DivergenceSite faulty_derivative(const LoadedModel& loaded, Trajectory& trajectory, const Stop& stop) {
  Evaluator& evaluator = trajectory.evaluator();
  const std::size_t component = variable_of(evaluator.components(), stop.index);
  const BoundState& state = loaded.model->states[component];
  std::vector<double> theory(stop.state.size());
  evaluator.theory(stop.time, stop.state, theory);
  const bool is_theory = !is_usable(theory[stop.index]);
  const std::string where = state_text(evaluator.states(), stop.state);
  DivergenceSite site;
  site.sentence = fmt::format("the {} of `{}` is not finite at t = {:.4g}{}",
                              is_theory ? "theory" : "derivative", state.name, stop.time, where);
  const PointLeaves leaves{evaluator.theta(), stop.state, stop.time, evaluator.start_time()};
  const auto fault = find_fault(*loaded.model, is_theory ? state.theory : state.derivative, leaves);
  if (!fault) return site;
  site.kind = DivergenceKind::domain;
  site.sentence = fmt::format("the {} of `{}` has {} at t = {:.4g}{}", is_theory ? "theory" : "equation",
                              state.name, fault->what, stop.time, where);
  site.remedy = fault->remedy;
  return site;
}

// The state that is most out of the ordinary, if one is.
std::optional<std::size_t> far_off_state(const Trajectory& trajectory, const Stop& stop) {
  std::size_t farthest = stop.is_of_derivative ? 0 : stop.index;
  const auto times = [&](std::size_t i) {
    return std::abs(stop.state[i]) / (1 + std::abs(trajectory.start()[i]));
  };
  for (std::size_t i = 0; i < stop.state.size(); ++i)
    if (times(i) > times(farthest)) farthest = i;
  if (stop.is_of_derivative && !(times(farthest) > kFarOff)) return {};
  return farthest;
}

DivergenceSite runaway_state(Trajectory& trajectory, const Stop& stop, std::size_t index) {
  Evaluator& evaluator = trajectory.evaluator();
  const std::size_t component = variable_of(evaluator.states(), index);
  const double far_at = trajectory.seconds_to(index, 1);
  DivergenceSite site;
  site.sentence = fmt::format("`{}` runs away, from {:.4g} at t = 0 to beyond {:.0e} times that {}",
                              evaluator.states()[component].name, trajectory.start()[index], kFarOff,
                              far_at < 0 ? fmt::format("in the solver's step from t = {:.4g}", stop.time)
                                         : fmt::format("by t = {:.4g}", far_at));
  return site;
}

DivergenceSite site_of(const LoadedModel& loaded, Trajectory& trajectory, const Stop& stop) {
  const std::optional<std::size_t> far_off = far_off_state(trajectory, stop);
  DivergenceSite site =
      far_off ? runaway_state(trajectory, stop, *far_off) : faulty_derivative(loaded, trajectory, stop);
  if (!loaded.model->networks.empty())
    site.is_theory_alone = trajectory.follow(Quantity::theory, 1).has_value();
  const bool can_be_coarse =
      site.kind == DivergenceKind::runaway && !loaded.spec->solver.options.tableau->is_adaptive();
  for (std::size_t finer : kFiner) {
    if (!can_be_coarse || finer * trajectory.n_steps() > kMostSteps) break;
    if (trajectory.follow(Quantity::total, finer)) continue;
    site.kind = DivergenceKind::coarse;
    site.finer_step = trajectory.step();
    break;
  }
  const double stable = can_be_coarse ? trajectory.stable_step() : 0;
  if (site.kind == DivergenceKind::runaway && stable > 0) {
    site.kind = DivergenceKind::coarse;
    site.finer_step = stable;
  }
  return site;
}

}  // namespace

std::optional<DivergenceSite> search_divergence(const LoadedModel& loaded, std::span<const double> weights,
                                                const NonFinite& cause) {
  if (loaded.model->is_algebraic() || cause.value == NonFiniteValue::solver_steps) return {};
  std::vector<double> theta;
  for (std::size_t p = 0; p < cause.theta.size(); ++p) {
    const ParameterSpec& parameter = loaded.spec->parameters[p];
    theta.push_back(std::clamp(cause.theta[p].second, parameter.low, parameter.high));
  }
  Trajectory trajectory(loaded, weights, theta, cause);
  const std::vector<double>& start = trajectory.start();
  const auto bad = std::find_if(start.begin(), start.end(), [](double x) { return !is_usable(x); });
  if (bad != start.end()) {
    const auto& states = trajectory.evaluator().states();
    const std::size_t k = variable_of(states, static_cast<std::size_t>(bad - start.begin()));
    return DivergenceSite{.kind = DivergenceKind::initial,
                          .sentence = fmt::format("the initial value of `{}` is {}", states[k].name, *bad)};
  }
  // What the steps of explicit methods meet says nothing of an implicit one.
  if (loaded.spec->solver.options.tableau->is_implicit()) return {};
  const std::optional<Stop> stop = trajectory.follow(Quantity::total, 1);
  if (!stop) return {};
  return site_of(loaded, trajectory, *stop);
}

}  // namespace greybox
