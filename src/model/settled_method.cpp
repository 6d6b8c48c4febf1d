#include "model/settled_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "model/engine.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMethodThetas = 6, kMethodWindows = 4, kMethodMostSteps = 2000;
// A step of an implicit method does the work of so many explicit ones, and of so many more per state.
constexpr double kImplicitStep = 5, kImplicitStepPerState = 0.5;
constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();
// Of windows at which the default is looked at, and the share of them that it may lose.
constexpr std::size_t kProbedRows = 30;
constexpr double kMostMissed = 0.1;

// From where the prior begins to be likely (0) to where it ends (1).
double level_of(const ParameterSpec& parameter, double level) {
  if (parameter.is_known_by_bounds()) return parameter.low + level * (parameter.high - parameter.low);
  const double value = parameter.mean + (4 * level - 2) * parameter.sd;
  return std::clamp(parameter.prior == PriorKind::lognormal ? std::exp(value) : value, parameter.low,
                    parameter.high);
}

std::vector<double> theta_at(const ModelSpec& spec, std::size_t number) {
  const Random random(0, Purpose::analysis);
  std::vector<double> theta;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p)
    theta.push_back(level_of(spec.parameters[p], number == 0 ? 0.5 : random.uniform(number, p)));
  return theta;
}

// What stiff methods need is there before anybody trains.
std::shared_ptr<ModelSpec> settled(const ModelSpec& spec, std::string_view name, std::string reason) {
  auto changed = std::make_shared<ModelSpec>(spec);
  changed->solver.options.tableau = find_tableau(name);
  changed->solver.is_automatic = changed->solver.is_settled = true;
  changed->solver.reason = std::move(reason);
  changed->train.precision = Precision::double_;
  return changed;
}

struct Trial {
  // Of each sample: NaN where the solver did not get through.
  std::vector<double> steps{};
  // Predictions, by observed variable: so many of each sample, and room for `n_outputs`.
  Trajectories<double> kept{};
  std::vector<std::size_t> n_predicted{};
  std::size_t n_outputs = 0;
};

// `most_rows`: of a window.
Trial try_method(const ModelSpec& spec, std::string_view name, const std::vector<std::string>& columns,
                 const PreparedData& data, std::size_t most_rows = kAllRows) {
  const auto trial = settled(spec, name, "");
  trial->solver.options.weighting = Weighting::evaluations;
  trial->solver.options.max_steps = std::min(trial->solver.options.max_steps, kMethodMostSteps);
  const auto plan = std::make_shared<const ExecutionPlan>(bind_model(trial, &columns, {}));
  std::vector<std::size_t> all = data.of_split(Split::train), windows;
  if (all.empty()) all = data.all();
  const std::size_t n_windows = std::min(all.size(), kMethodWindows);
  std::vector<double> theta;
  for (std::size_t d = 0; d < kMethodThetas; ++d)
    for (std::size_t k = 0; k < n_windows; ++k) {
      windows.push_back(all[k * all.size() / n_windows]);
      const std::vector<double> drawn = theta_at(spec, d);
      theta.insert(theta.end(), drawn.begin(), drawn.end());
    }
  ThreadPool pool(1);
  WindowData cut = data.windows();
  for (const std::size_t w : windows) cut.windows[w].n_rows = std::min(cut.windows[w].n_rows, most_rows);
  Engine<double> engine(plan, data.windows(), pool, {.capacity = windows.size()});
  engine.set_weights(std::vector<double>(engine.n_weights()));
  Trial result;
  result.n_outputs = engine.n_outputs();
  for (std::size_t o = 0; o < engine.model().observed.size() && most_rows < kAllRows; ++o)
    result.kept.observed.emplace_back(windows.size() * engine.n_outputs());
  engine.forward({&cut, windows, theta}, most_rows < kAllRows ? &result.kept : nullptr);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const bool is_through = engine.outcomes()[i] == Outcome::finished;
    const double n_stages = static_cast<double>(trial->solver.options.tableau->n_solution_stages());
    result.n_predicted.push_back(cut.windows[windows[i]].n_rows - 1);
    result.steps.push_back(is_through ? engine.evaluation_weights()[i] / n_stages : kNaN);
  }
  return result;
}

// Lowest and highest measured value of what each observed variable is compared with.
std::vector<std::pair<double, double>> ranges_of(const BoundModel& model, const WindowData& data) {
  std::vector<std::pair<double, double>> ranges;
  for (const Observed& observed : model.observed) {
    double low = kInfinity, high = -kInfinity;
    for (std::size_t row = 0; row < data.table->n_rows(); ++row) {
      low = std::fmin(low, data.columns[observed.column]->at(row));
      high = std::fmax(high, data.columns[observed.column]->at(row));
    }
    ranges.emplace_back(low, high);
  }
  return ranges;
}

// Whether the default is a whole range of the data off while the better method stays near them.
bool misses(const Trial& plain, const Trial& better, const std::vector<std::pair<double, double>>& ranges,
            std::size_t sample) {
  if (std::isnan(plain.steps[sample])) return true;
  bool is_off = false;
  for (std::size_t o = 0; o < ranges.size(); ++o) {
    const auto [low, high] = ranges[o];
    const double range = high - low;
    for (std::size_t k = 0; k < better.n_predicted[sample]; ++k) {
      const std::size_t place = sample * better.n_outputs + k;
      const double value = better.kept.observed[o][place];
      if (!(value >= low - range && value <= high + range)) break;
      is_off |= !(std::abs(plain.kept.observed[o][place] - value) <= range);
    }
  }
  return is_off;
}

}  // namespace

std::shared_ptr<const ModelSpec> settle_method(const std::shared_ptr<const ModelSpec>& spec,
                                               const std::vector<std::string>& columns,
                                               const PreparedData& data) {
  if (spec->grid.is_given) return settled(*spec, kMethodForNonStiff, "for a grid always tsit5");
  if (data.windows().windows.empty()) return spec;
  const std::vector<double> plain = try_method(*spec, kMethodForNonStiff, columns, data).steps;
  const std::vector<double> stiff = try_method(*spec, kMethodForStiff, columns, data).steps;
  double n_plain = 0, n_stiff = 0;
  std::size_t n_lost = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (std::isnan(stiff[i])) continue;
    n_lost += std::isnan(plain[i]) ? 1 : 0;
    if (std::isnan(plain[i])) continue;
    n_plain += plain[i];
    n_stiff += stiff[i];
  }
  if (n_lost > 0)
    return settled(*spec, kMethodForStiff,
                   fmt::format("the theory is stiff: {} does not get through {} of {} trajectories of the "
                               "prior within {} steps between snapshots, and {} does",
                               kMethodForNonStiff, n_lost, plain.size(), kMethodMostSteps, kMethodForStiff));
  const double ratio = n_stiff > 0 ? n_plain / n_stiff : 0;
  const bool is_stiff =
      ratio > kImplicitStep + kImplicitStepPerState * static_cast<double>(spec->state.size());
  return settled(*spec, is_stiff ? kMethodForStiff : kMethodForNonStiff,
                 fmt::format("the theory is {}stiff: over the prior {} takes {:.3g} times the steps of {}",
                             is_stiff ? "" : "not ", kMethodForNonStiff, ratio, kMethodForStiff));
}

std::shared_ptr<const ModelSpec> settle_unstated_method(const std::shared_ptr<const ModelSpec>& spec,
                                                        const std::vector<std::string>& columns,
                                                        const PreparedData& data) {
  const bool is_single = spec->train.is_precision_given && spec->train.precision == Precision::single_;
  if (spec->is_algebraic() || spec->grid.is_given || is_single || data.windows().windows.empty()) return spec;
  const auto bound = bind_model(spec, &columns, {});
  if (!bound->draws.empty()) return spec;
  const Trial plain = try_method(*spec, spec->solver.options.tableau->name, columns, data, kProbedRows);
  const Trial better = try_method(*spec, kMethodForNonStiff, columns, data, kProbedRows);
  const bool is_lost = std::ranges::any_of(better.steps, [](double n) { return std::isnan(n); });
  const Trial best = is_lost ? try_method(*spec, kMethodForStiff, columns, data, kProbedRows) : better;
  const auto ranges = ranges_of(*bound, data.windows());
  std::size_t n_missed = 0;
  for (std::size_t i = 0; i < plain.steps.size(); ++i)
    if (!std::isnan(best.steps[i]) && misses(plain, best, ranges, i)) ++n_missed;
  if (static_cast<double>(n_missed) <= kMostMissed * static_cast<double>(plain.steps.size())) return spec;
  const auto changed = std::make_shared<ModelSpec>(*settle_method(spec, columns, data));
  changed->solver.reason = fmt::format(
      "no [solver] is given, and one step of {} from snapshot to snapshot loses {} of {} "
      "trajectories; {}",
      spec->solver.options.tableau->name, n_missed, plain.steps.size(), changed->solver.reason);
  return changed;
}

std::shared_ptr<const ModelSpec> with_method(std::shared_ptr<const ModelSpec> spec, const std::string& name) {
  if (!spec->solver.is_given && !spec->solver.is_settled && find_tableau(name) == nullptr) {
    auto changed = std::make_shared<ModelSpec>(*spec);
    changed->solver.is_settled = true;
    return changed;
  }
  if (!spec->solver.is_given && !spec->solver.is_automatic)
    return settled(*spec, name, "as the run was trained");
  const bool is_open = spec->solver.is_automatic && find_tableau(name) != nullptr;
  return is_open ? settled(*spec, name, "as the run was trained") : spec;
}

}  // namespace greybox
