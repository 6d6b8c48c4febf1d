// The distribution from Markov chains, which run side by side.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "analysis/posterior/nuts.hpp"
#include "analysis/posterior/posterior.hpp"
#include "analysis/posterior/surrogate_density.hpp"
#include "analysis/theta/prior_density.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_objective.hpp"
#include "core/packed_values.hpp"
#include "core/shared_tasks.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostStarts = 100;  // draws of the prior tried for a finite R
constexpr std::size_t kFewestKept = 10;   // of each chain that was stopped

// Counts iterations of all chains.
class SharedProgress {
 public:
  explicit SharedProgress(const SampleOptions& options)
      : n_all_(options.chains * (options.warmup + options.draws)) {}

  bool count(const Execution& own) {
    if (own.is_cancelled()) return false;
    const std::lock_guard lock(mutex_);
    ++n_done_;
    if (own.progress)
      own.progress({.stage = "distribution", .unit = "steps", .n_done = n_done_, .n_total = n_all_});
    return true;
  }

 private:
  std::mutex mutex_;
  std::size_t n_done_ = 0, n_all_;
};

std::vector<double> find_start(const PosteriorRequest& request, const LogDensity& density,
                               std::size_t chain) {
  const ThetaBox box(request.parameters());
  const std::vector<RangeMap> maps = range_maps(request.parameters());
  std::vector<double> gradient(box.size());
  for (std::size_t attempt = 0; attempt < kMostStarts; ++attempt) {
    std::vector<double> z = box.draw(request.options.seed, chain * kMostStarts + attempt);
    for (std::size_t p = 0; p < z.size(); ++p) z[p] = maps[p].out_of(z[p]);
    if (std::isfinite(density(z, gradient))) return z;
  }
  throw InputError(Diagnostic{.option = "regularizer",
                              .message = "R is a finite number at none of 100 draws of the prior",
                              .help = "look at its landscape with `greybox landscape`"});
}

// One regularizer of the request, and what L beyond its limit costs.
class ModelDensity {
 public:
  ModelDensity(const PosteriorRequest& request, std::size_t n_threads)
      : beta_(request.beta),
        maps_(range_maps(request.parameters())),
        priors_(request.parameters().begin(), request.parameters().end()),
        pool_(n_threads),
        objective_(request.run.loaded, request.run.weights, request.regularizer,
                   request.choice.windows.size(), pool_) {
    objective_.set_windows(request.choice.windows);
    objective_.keep_to(request.loss_limit, kLogPriceOfMisfit / request.beta);
  }

  double log_likelihood(std::span<const double> theta, std::span<double> gradient) {
    const double value = objective_.evaluate(theta).total;
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (std::isfinite(value)) objective_.gradient(gradient);
    for (double& slope : gradient) slope *= -beta_;
    return -beta_ * value;
  }

  // As `on_whole_space`, without a gradient.
  ExactDensity on_whole_space_at(std::span<const double> z) {
    std::vector<double> theta;
    double rest = 0;
    for (std::size_t p = 0; p < z.size(); ++p) {
      theta.push_back(maps_[p].into(z[p]));
      rest += priors_[p].log_density(theta[p]) + maps_[p].log_slope(z[p]);
    }
    const auto value = objective_.evaluate(theta);
    return {-beta_ * value.total + rest, value.regularizer, value.loss};
  }

 private:
  double beta_;
  std::vector<RangeMap> maps_;
  std::vector<PriorDensity> priors_;
  ThreadPool pool_;
  ThetaObjective<double> objective_;
};

// A step may take as many as a thousand evaluations: too long to wait for its end.
LogDensity stopped_by(const Execution& own, LogDensity density) {
  return [&own, density = std::move(density)](std::span<const double> z, std::span<double> gradient) {
    if (own.is_cancelled()) throw Interruption("distribution interrupted");
    return density(z, gradient);
  };
}

NutsChain run_chain(const PosteriorRequest& request, const std::optional<SurrogateDensity>& surrogate,
                    std::size_t chain, const Execution& own, SharedProgress& progress) {
  const SampleOptions& options = request.options;
  ModelDensity model(request, own.n_threads);
  const LogDensity exact = stopped_by(
      own,
      on_whole_space(request.parameters(), [&](std::span<const double> theta, std::span<double> gradient) {
        return model.log_likelihood(theta, gradient);
      }));
  const NutsOptions nuts{.n_warmup = options.warmup,
                         .n_draws = options.draws,
                         .target_acceptance = options.target_acceptance,
                         .seed = options.seed,
                         .chain = chain};
  std::vector<double> start;
  try {
    start = find_start(request, exact, chain);
  } catch (const Interruption&) {
    return {};  // other chains have come farther
  }
  const auto on_iteration = [&] { return progress.count(own); };
  if (!surrogate) return run_nuts(exact, start, nuts, on_iteration);
  return run_nuts(on_whole_space(request.parameters(), *surrogate), start, nuts, on_iteration,
                  [&](std::span<const double> z) { return model.on_whole_space_at(z); });
}

std::string packed(const NutsChain& chain) {
  PackedValues values;
  values.put(chain.step_size).put(chain.inverse_mass).put(chain.draws.size());
  for (const NutsDraw& draw : chain.draws)
    values.put(draw.position)
        .put(draw.log_density)
        .put(draw.acceptance)
        .put(draw.step_size)
        .put(draw.energy)
        .put(draw.depth)
        .put(draw.n_leapfrog)
        .put(draw.is_divergent)
        .put(draw.regularizer)
        .put(draw.loss)
        .put(draw.is_accepted);
  return values.take();
}

NutsChain unpacked(const std::string& bytes) {
  UnpackedValues values(bytes);
  NutsChain chain;
  chain.step_size = values.get<double>();
  chain.inverse_mass = values.get_all<double>();
  chain.draws.resize(values.get<std::size_t>());
  for (NutsDraw& draw : chain.draws) {
    draw.position = values.get_all<double>();
    for (double* value : {&draw.log_density, &draw.acceptance, &draw.step_size, &draw.energy})
      *value = values.get<double>();
    for (std::size_t* value : {&draw.depth, &draw.n_leapfrog}) *value = values.get<std::size_t>();
    draw.is_divergent = values.get<bool>();
    draw.regularizer = values.get<double>();
    draw.loss = values.get<double>();
    draw.is_accepted = values.get<bool>();
  }
  return chain;
}

// Chains that are cancelled give what they have.
void run_chains(const PosteriorRequest& request, const std::optional<SurrogateDensity>& surrogate,
                std::vector<NutsChain>& chains) {
  SharedProgress progress(request.options);
  share_out(
      {.n_tasks = chains.size(),
       .work = [&](std::size_t c,
                   const Execution& own) { return packed(run_chain(request, surrogate, c, own, progress)); },
       .keep = [&](std::size_t c, const std::string& bytes) { chains[c] = unpacked(bytes); }},
      request.options.execution);
  // What is asked next depends on them, in every process.
  const std::string all = in_all(request.options.execution, [&] {
    PackedValues values;
    for (const NutsChain& chain : chains) values.put(packed(chain));
    return values.take();
  });
  UnpackedValues values(all);
  for (NutsChain& chain : chains) chain = unpacked(values.get<std::string>());
}

PosteriorChain statistics_of(const NutsChain& chain) {
  PosteriorChain statistics;
  statistics.step_size = chain.step_size;
  statistics.inverse_mass = chain.inverse_mass;
  for (const NutsDraw& draw : chain.draws) {
    statistics.log_density.push_back(draw.log_density);
    statistics.acceptance.push_back(draw.acceptance);
    statistics.energy.push_back(draw.energy);
    statistics.depth.push_back(draw.depth);
    statistics.n_leapfrog.push_back(draw.n_leapfrog);
    statistics.is_divergent.push_back(draw.is_divergent ? 1 : 0);
  }
  return statistics;
}

// Chains that were stopped have come to different lengths: as many of them, cut to one length, as leave most
// draws.
void keep_most(std::vector<NutsChain>& chains, Posterior& posterior) {
  const auto longer = [](const NutsChain& a, const NutsChain& b) { return a.draws.size() > b.draws.size(); };
  std::stable_sort(chains.begin(), chains.end(), longer);
  std::size_t n_kept = 0, n_draws = 0;
  for (std::size_t n = 1; n <= chains.size(); ++n)
    if (const std::size_t length = chains[n - 1].draws.size(); n * length >= n_kept * n_draws) {
      n_kept = n;
      n_draws = length;
    }
  chains.resize(n_kept);
  for (NutsChain& chain : chains) chain.draws.resize(n_draws);
  posterior.n_chains = n_kept;
  posterior.n_draws = n_draws;
}

}  // namespace

void sample_chains(const PosteriorRequest& request, Posterior& posterior) {
  const std::size_t n_chains = request.options.chains;
  std::vector<NutsChain> chains(n_chains);
  const std::optional<SurrogateDensity> surrogate =
      request.options.exact ? std::nullopt : SurrogateDensity::make(request);
  run_chains(request, surrogate, chains);
  keep_most(chains, posterior);
  if (posterior.n_draws < std::min(kFewestKept, request.options.draws))
    throw Interruption("distribution interrupted");
  const std::vector<RangeMap> maps = range_maps(request.parameters());
  for (const NutsChain& chain : chains) {
    posterior.chains.push_back(statistics_of(chain));
    for (const NutsDraw& draw : chain.draws) {
      posterior.n_divergent += draw.is_divergent ? 1 : 0;
      for (std::size_t p = 0; p < maps.size(); ++p)
        posterior.parameters[p].draws.push_back(maps[p].into(draw.position[p]));
      if (!surrogate) continue;
      posterior.regularizers.push_back(draw.regularizer);
      posterior.losses.push_back(draw.loss);
    }
  }
  summarise_draws(request.parameters(), posterior);
}

}  // namespace greybox
