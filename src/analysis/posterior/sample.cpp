// Distributions as their users ask for them.
#include "greybox/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/posterior/grid_values.hpp"
#include "analysis/posterior/posterior.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/theta/prior_density.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
#include "greybox/counted.hpp"
#include "report/posterior_json.hpp"

namespace greybox {
namespace {

// Of all chains: more would not fit into memory.
constexpr std::size_t kMostDraws = 100'000'000;

SampleMethod checked_method(const SampleOptions& options, const ModelSpec& spec) {
  const std::size_t n = spec.parameters.size();
  if (n == 0) refuse(spec.source->path, "the model has no parameters to sample", "add them in [parameters]");
  if (options.chains == 0) refuse_option("chains", "there is no chain to run", "give 1 or more; 4 is usual");
  if (options.draws < 10)
    refuse_option("draws", "fewer than 10 draws say nothing about a distribution", "1000 is usual");
  if (!(options.target_acceptance > 0 && options.target_acceptance < 1))
    refuse_option("target_acceptance", "the acceptance to aim at lies between 0 and 1",
                  "0.8 is usual, 0.95 is careful");
  if (options.beta && !(*options.beta > 0 && std::isfinite(*options.beta)))
    refuse_option("beta", fmt::format("β is {}, and must be a positive number", *options.beta),
                  "leave it out to be told which values make sense");
  if (options.chains > kMostDraws || options.draws > kMostDraws || options.warmup > kMostDraws ||
      options.chains * (options.draws + options.warmup) > kMostDraws)
    refuse_option("draws", fmt::format("chains × (warmup + draws) is more than {}", kMostDraws),
                  "4 chains of 1000 draws are usual");
  const SampleMethod method = options.method.value_or(n <= 2 ? SampleMethod::grid : SampleMethod::nuts);
  if (method == SampleMethod::grid && n > 2)
    refuse_option("method", fmt::format("a grid over {} parameters would be too large", n), "use nuts");
  return method;
}

Posterior header(const PosteriorRequest& request, SampleMethod method) {
  const bool is_grid = method == SampleMethod::grid;
  Posterior posterior;
  posterior.model = request.run.loaded.spec->name;
  posterior.regularizer = request.options.regularizer;
  posterior.method = is_grid ? "grid" : "nuts";
  posterior.on = request.choice.name;
  posterior.beta = request.beta;
  posterior.n_windows = request.choice.windows.size();
  posterior.n_chains = request.options.chains;
  posterior.n_draws = request.options.draws;
  posterior.n_warmup = is_grid ? 0 : request.options.warmup;
  posterior.seed = request.options.seed;
  for (const ParameterSpec& spec : request.parameters()) {
    PosteriorParameter& parameter = posterior.parameters.emplace_back();
    parameter.name = spec.name;
    parameter.unit = spec.unit;
    parameter.about = spec.about;
  }
  return posterior;
}

void evaluate_draws(const PosteriorRequest& request, Posterior& posterior) {
  if (!posterior.regularizers.empty()) return;
  std::vector<double> theta;
  for (std::size_t i = 0; i < posterior.n_chains * posterior.n_draws; ++i)
    for (const PosteriorParameter& parameter : posterior.parameters) theta.push_back(parameter.draws[i]);
  RegularizerValues values =
      request.grid_values ? request.grid_values->at(theta, request.beta) : evaluate_at(request, theta);
  posterior.regularizers = std::move(values.regularizers);
  posterior.losses = std::move(values.losses);
  if (posterior.grid.empty()) return;
  // Of draws from a grid: log p(θ) - β R, up to the constant that no reader of chains needs.
  for (std::size_t i = 0; i < posterior.regularizers.size(); ++i) {
    double log_density = -posterior.beta * posterior.regularizers[i];
    for (std::size_t p = 0; p < posterior.parameters.size(); ++p)
      log_density += PriorDensity(request.parameters()[p]).log_density(posterior.parameters[p].draws[i]);
    posterior.chains[i / posterior.n_draws].log_density[i % posterior.n_draws] = log_density;
  }
}

bool is_cut_short(const PosteriorRequest& request, const Posterior& posterior) {
  return posterior.n_draws < request.options.draws || posterior.n_chains < request.options.chains;
}

// Draws of chains that were stopped are brought to an end all the same.
Posterior compute(const PosteriorRequest& request, SampleMethod method) {
  Posterior posterior = header(request, method);
  if (method == SampleMethod::grid)
    sample_grid(request, posterior);
  else
    sample_chains(request, posterior);
  diagnose(posterior);
  SampleOptions to_the_end = request.options;
  if (is_cut_short(request, posterior)) to_the_end.execution.cancel = nullptr;
  evaluate_draws({request.run, request.choice, request.regularizer, to_the_end, request.beta,
                  request.loss_limit, request.grid_values},
                 posterior);
  if (method == SampleMethod::nuts) weigh_again(posterior);
  return posterior;
}

UnconstrainedPosterior unconstrained_of(const Posterior& posterior, double loss_limit) {
  UnconstrainedPosterior summary;
  const auto fits = [&](double loss) { return loss <= loss_limit; };
  summary.fitting_share =
      static_cast<double>(std::count_if(posterior.losses.begin(), posterior.losses.end(), fits)) /
      static_cast<double>(posterior.losses.size());
  for (const PosteriorParameter& parameter : posterior.parameters) {
    summary.mean.push_back(parameter.mean);
    summary.sd.push_back(parameter.sd);
  }
  return summary;
}

std::string constraint_text(const Posterior& posterior, const UnconstrainedPosterior& without) {
  std::string means;
  for (std::size_t p = 0; p < without.mean.size(); ++p)
    means += fmt::format("{}{} = {:.4g} ± {:.2g}", p == 0 ? "" : ", ", posterior.parameters[p].name,
                         without.mean[p], without.sd[p]);
  return fmt::format(
      "without regard to fit the distribution would be {}, but {:.0f} % of it lies at θ that do not fit the "
      "data",
      means, 100 * (1 - without.fitting_share));
}

constexpr const char* kWithoutFit =
    "interrupted before the θ that do not fit the data could be left out: the distribution is without regard "
    "to fit";

Posterior with_note(Posterior posterior, std::string note) {
  posterior.warnings.push_back(std::move(note));
  return posterior;
}

// Once without regard to L; where some of that does not fit the data, once more among θ that do.
Posterior compute_fitting(const PosteriorRequest& request, SampleMethod method, double loss_limit) {
  Posterior posterior = compute(request, method);
  if (!std::isfinite(loss_limit)) return posterior;
  const UnconstrainedPosterior without = unconstrained_of(posterior, loss_limit);
  if (without.fitting_share == 1) return posterior;
  if (is_cut_short(request, posterior)) return with_note(std::move(posterior), kWithoutFit);
  PosteriorRequest constrained = request;
  constrained.loss_limit = loss_limit;
  const std::string text = constraint_text(posterior, without);
  try {
    posterior = compute(constrained, method);
  } catch (const Interruption&) {
    return with_note(std::move(posterior), kWithoutFit);
  } catch (const InputError&) {
    posterior.warnings.push_back(
        "no θ fits these data: the distribution says nothing about the theory; train longer, or "
        "narrow the priors");
    return posterior;
  }
  posterior.unconstrained = without;
  posterior.warnings.push_back(text);
  return posterior;
}

void record(const OpenedRun& run, Posterior& posterior) {
  const std::string reuse = reuse_warning(run, posterior.regularizer, posterior.on);
  if (!reuse.empty()) posterior.warnings.push_back(reuse);
  const std::string purpose = fmt::format("distribution at β = {:.6g}", posterior.beta);
  for (std::string& warning : record_use(run, {"sample", posterior.on, purpose, ""}, {posterior.regularizer}))
    posterior.warnings.push_back(std::move(warning));
}

// A run in memory keeps its last distribution for the report and for simulations.
void keep(const OpenedRun& run, const Posterior& posterior) {
  RunState& state = run.handle.state();
  const std::lock_guard lock(state.mutex);
  if (!state.folder.empty()) return;
  state.posterior = json_of(posterior);
  state.posterior_draws.clear();
  for (const PosteriorParameter& parameter : posterior.parameters)
    state.posterior_draws[parameter.name] = parameter.draws;
}

OpenedTarget open_for_sample(const Run& handle, const SampleOptions& options) {
  return open_target(handle, {options.on, options.data, options.n_windows, "regularizer", options.seed},
                     {options.regularizer}, {Split::test});
}

}  // namespace

SampleNeeds sample_needs(const Run& handle, const SampleOptions& options) {
  const auto [run, choice, has_outputs] = open_for_sample(handle, options);
  const SampleMethod method = checked_method(options, *run.loaded.spec);
  const PosteriorRequest request{run, choice, regularizer_place(*run.loaded.model, options.regularizer),
                                 options, options.beta.value_or(0)};
  return needs_of(request, method);
}

Posterior sample(const Run& handle, const SampleOptions& options) {
  if (!options.data) share_own_table(handle.state(), options.execution);
  const auto [run, choice, has_outputs] = open_for_sample(handle, options);
  const SampleMethod method = checked_method(options, *run.loaded.spec);
  PosteriorRequest request{run, choice, regularizer_place(*run.loaded.model, options.regularizer), options,
                           options.beta.value_or(0)};
  if (!options.beta) suggest_beta(request);
  if (method == SampleMethod::grid) request.grid_values = std::make_shared<GridValues>(request);
  Posterior posterior = compute_fitting(
      request, method, has_outputs ? run.loss_limit() : std::numeric_limits<double>::infinity());
  posterior.warnings.insert(posterior.warnings.begin(), run.warnings.begin(), run.warnings.end());
  if (is_cut_short(request, posterior))
    posterior.warnings.push_back(
        fmt::format("interrupted: {} of {} are kept, of {} of {}", counted(posterior.n_draws, "draw"),
                    counted(posterior.n_chains, "chain"), options.draws, options.chains));
  if (!has_outputs) std::fill(posterior.losses.begin(), posterior.losses.end(), std::nan(""));
  for (std::string& warning : posterior_warnings(request.parameters(), posterior))
    posterior.warnings.push_back(std::move(warning));
  if (!is_first(options.execution)) return posterior;
  record(run, posterior);
  keep(run, posterior);
  return posterior;
}

}  // namespace greybox
