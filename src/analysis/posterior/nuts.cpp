#include "analysis/posterior/nuts.hpp"

#include <utility>

#include "analysis/posterior/nuts_transition.hpp"
#include "analysis/posterior/warmup.hpp"

namespace greybox {
namespace {

// Moves the chain to where it belongs and adapts it; false when it is stopped.
bool warm_up(NutsTransition& transition, StepSizeAdaptation& step_size, RandomStream& random,
             const NutsOptions& options, const std::function<bool()>& on_iteration) {
  const WarmupSchedule schedule(options.n_warmup);
  VarianceAdaptation variances(transition.inverse_mass().size());
  step_size.restart(transition.find_step_size(1, random));
  for (std::size_t i = 0; i < options.n_warmup; ++i) {
    step_size.learn(transition.step(step_size.current(), random).acceptance);
    if (schedule.learns_scales(i)) variances.learn(transition.current().position);
    if (schedule.ends_window(i)) {
      transition.inverse_mass() = variances.finish();
      step_size.restart(transition.find_step_size(step_size.current(), random));
    }
    if (on_iteration && !on_iteration()) return false;
  }
  return true;
}

}  // namespace

NutsChain run_nuts(const LogDensity& density, std::vector<double> start, const NutsOptions& options,
                   const std::function<bool()>& on_iteration) {
  NutsTransition transition(density, std::move(start), options.max_depth);
  RandomStream random(options.seed, options.chain);
  StepSizeAdaptation adaptation(options.target_acceptance);
  NutsChain chain;
  if (!warm_up(transition, adaptation, random, options, on_iteration)) return chain;
  chain.step_size = adaptation.averaged();
  chain.inverse_mass = transition.inverse_mass();
  for (std::size_t i = 0; i < options.n_draws; ++i) {
    const TransitionResult result = transition.step(chain.step_size, random);
    const PhasePoint& now = transition.current();
    chain.draws.push_back({now.position, now.log_density, result.acceptance, chain.step_size, result.energy,
                           result.depth, result.n_leapfrog, result.is_divergent});
    if (on_iteration && !on_iteration()) break;
  }
  return chain;
}

}  // namespace greybox
