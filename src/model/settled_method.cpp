#include "model/settled_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/random.hpp"
#include "model/engine.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMethodThetas = 6, kMethodWindows = 4, kMethodMostSteps = 2000;
// A step of an implicit method does the work of so many explicit ones, and of so many more per state.
constexpr double kImplicitStep = 5, kImplicitStepPerState = 0.5;

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

std::shared_ptr<ModelSpec> settled(const ModelSpec& spec, std::string_view name, std::string reason) {
  auto changed = std::make_shared<ModelSpec>(spec);
  changed->solver.options.tableau = find_tableau(name);
  changed->solver.is_settled = true;
  changed->solver.reason = std::move(reason);
  return changed;
}

// Steps of each sample: NaN where the solver did not get through.
std::vector<double> steps_of(const ModelSpec& spec, const char* name, const std::vector<std::string>& columns,
                             const PreparedData& data) {
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
  Engine<double> engine(plan, data.windows(), pool, {.capacity = windows.size()});
  engine.set_weights(std::vector<double>(engine.n_weights()));
  engine.forward({&data.windows(), windows, theta});
  std::vector<double> steps;
  for (const double weight : engine.evaluation_weights())
    steps.push_back(weight / static_cast<double>(trial->solver.options.tableau->n_solution_stages()));
  return steps;
}

}  // namespace

std::shared_ptr<const ModelSpec> settle_method(const std::shared_ptr<const ModelSpec>& spec,
                                               const std::vector<std::string>& columns,
                                               const PreparedData& data) {
  if (spec->grid.is_given) return settled(*spec, kMethodForNonStiff, "for a grid always tsit5");
  if (data.windows().windows.empty()) return spec;
  const std::vector<double> plain = steps_of(*spec, kMethodForNonStiff, columns, data);
  const std::vector<double> stiff = steps_of(*spec, kMethodForStiff, columns, data);
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

std::shared_ptr<const ModelSpec> with_method(std::shared_ptr<const ModelSpec> spec, const std::string& name) {
  const bool is_open = spec->solver.is_automatic && find_tableau(name) != nullptr;
  return is_open ? settled(*spec, name, "as the run was trained") : spec;
}

}  // namespace greybox
