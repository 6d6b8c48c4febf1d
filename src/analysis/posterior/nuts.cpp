#include "analysis/posterior/nuts.hpp"

#include <cmath>
#include <utility>

#include "analysis/posterior/nuts_transition.hpp"
#include "analysis/posterior/warmup.hpp"
#include "greybox/error.hpp"

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

NutsDraw drawn(const TransitionResult& result, double step_size) {
  return {.position = {},
          .acceptance = result.acceptance,
          .step_size = step_size,
          .energy = result.energy,
          .depth = result.depth,
          .n_leapfrog = result.n_leapfrog,
          .is_divergent = result.is_divergent};
}

// Takes a proposal back where the exact density says so.
class Correction {
 public:
  Correction(const ExactDensityAt& exact, const PhasePoint& start) : exact_(exact) {
    if (exact_) now_ = exact_(start.position);
  }

  void step(NutsTransition& transition, PhasePoint before, RandomStream& random, NutsDraw& draw) {
    if (!exact_) return;
    const PhasePoint& proposal = transition.current();
    const ExactDensity there = exact_(proposal.position);
    const double gain = (there.log_density - proposal.log_density) - (now_.log_density - before.log_density);
    // A start without a density is left for anything that has one.
    draw.is_accepted = !std::isfinite(now_.log_density) || std::log(random.uniform()) < gain;
    if (draw.is_accepted)
      now_ = there;
    else
      transition.return_to(std::move(before));
    draw.regularizer = now_.regularizer;
    draw.loss = now_.loss;
  }
  double log_density(const PhasePoint& point) const { return exact_ ? now_.log_density : point.log_density; }

 private:
  const ExactDensityAt& exact_;
  ExactDensity now_;
};

// What is drawn until it throws stands in `chain`.
void follow(const LogDensity& density, std::vector<double> start, const NutsOptions& options,
            const std::function<bool()>& on_iteration, const ExactDensityAt& exact, NutsChain& chain) {
  NutsTransition transition(density, std::move(start), options.max_depth);
  RandomStream random(options.seed, options.chain);
  StepSizeAdaptation adaptation(options.target_acceptance);
  if (!warm_up(transition, adaptation, random, options, on_iteration)) return;
  chain.step_size = adaptation.averaged();
  chain.inverse_mass = transition.inverse_mass();
  Correction correction(exact, transition.current());
  for (std::size_t i = 0; i < options.n_draws; ++i) {
    PhasePoint before = transition.current();
    NutsDraw draw = drawn(transition.step(chain.step_size, random), chain.step_size);
    correction.step(transition, std::move(before), random, draw);
    draw.position = transition.current().position;
    draw.log_density = correction.log_density(transition.current());
    chain.draws.push_back(std::move(draw));
    if (on_iteration && !on_iteration()) return;
  }
}

}  // namespace

NutsChain run_nuts(const LogDensity& density, std::vector<double> start, const NutsOptions& options,
                   const std::function<bool()>& on_iteration, const ExactDensityAt& exact) {
  NutsChain chain;
  try {
    follow(density, std::move(start), options, on_iteration, exact, chain);
  } catch (const Interruption&) {  // in the midst of a step, which is left out
  }
  return chain;
}

}  // namespace greybox
