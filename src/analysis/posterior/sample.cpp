// The command `sample`: a run folder, a regularizer and β in, the distribution of θ out.
#include "greybox/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/posterior/posterior.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/run/target.hpp"
#include "analysis/theta/prior_density.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

SampleMethod checked_method(const SampleOptions& options, const ModelSpec& spec) {
  const std::size_t n = spec.parameters.size();
  if (n == 0) refuse(spec.source->path, "the model has no parameters to sample", "add them in [parameters]");
  if (options.n_chains == 0) refuse("--chains", "there is no chain to run", "give 1 or more; 4 is usual");
  if (options.n_draws < 10)
    refuse("--draws", "fewer than 10 draws say nothing about a distribution", "1000 is usual");
  if (!(options.target_acceptance > 0 && options.target_acceptance < 1))
    refuse("--target", "the acceptance to aim at lies between 0 and 1", "0.8 is usual, 0.95 is careful");
  if (options.beta && !(*options.beta > 0 && std::isfinite(*options.beta)))
    refuse("--beta", fmt::format("β is {}, and must be a positive number", *options.beta),
           "leave --beta out to be told which values make sense");
  const SampleMethod method = options.method.value_or(n <= 2 ? SampleMethod::grid : SampleMethod::nuts);
  if (method == SampleMethod::grid && n > 2)
    refuse("--method", fmt::format("a grid over {} parameters would be too large", n), "use nuts");
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
  posterior.n_chains = request.options.n_chains;
  posterior.n_draws = request.options.n_draws;
  posterior.n_warmup = is_grid ? 0 : request.options.n_warmup;
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
  std::vector<double> theta;
  for (std::size_t i = 0; i < posterior.n_chains * posterior.n_draws; ++i)
    for (const PosteriorParameter& parameter : posterior.parameters) theta.push_back(parameter.draws[i]);
  RegularizerValues values = evaluate_at(request, theta);
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

Posterior compute(const PosteriorRequest& request, SampleMethod method) {
  Posterior posterior = header(request, method);
  if (method == SampleMethod::grid)
    sample_grid(request, posterior);
  else
    sample_chains(request, posterior);
  diagnose(posterior);
  evaluate_draws(request, posterior);
  if (method == SampleMethod::nuts) weigh_again(posterior);
  return posterior;
}

void record(const OpenedRun& run, SampleReport& report) {
  const Posterior& posterior = report.posterior;
  const std::string reuse = reuse_warning(run, posterior.regularizer, posterior.on);
  if (!reuse.empty()) report.warnings.push_back(reuse);
  const std::string purpose = fmt::format("distribution at β = {:.6g}", posterior.beta);
  const std::string trouble = record_use(run, {"sample", posterior.on, purpose, ""}, {posterior.regularizer});
  if (!trouble.empty()) report.warnings.push_back(trouble);
}

Json to_json(const PosteriorParameter& p) {
  return {{"name", p.name},
          {"mean", p.mean},
          {"sd", p.sd},
          {"median", p.median},
          {"q5", p.q5},
          {"q95", p.q95},
          {"rhat", p.rhat},
          {"ess_bulk", p.ess_bulk},
          {"ess_tail", p.ess_tail}};
}

Json to_json(const Posterior& posterior, const PosteriorAtBeta& at) {
  Json json{{"beta", at.beta}, {"ess", at.ess}, {"parameters", Json::array()}};
  for (std::size_t p = 0; p < at.mean.size(); ++p)
    json["parameters"].push_back(
        {{"name", posterior.parameters[p].name}, {"mean", at.mean[p]}, {"sd", at.sd[p]}});
  return json;
}

}  // namespace

std::string posterior_json(const SampleReport& report) {
  const Posterior& posterior = report.posterior;
  Json json{{"regularizer", posterior.regularizer},
            {"beta", posterior.beta},
            {"method", posterior.method},
            {"on", posterior.on},
            {"windows", posterior.n_windows},
            {"chains", posterior.n_chains},
            {"draws_per_chain", posterior.n_draws},
            {"warmup", posterior.n_warmup},
            {"seed", posterior.seed},
            {"divergences", posterior.n_divergent}};
  for (const PosteriorParameter& parameter : posterior.parameters)
    json["parameters"].push_back(to_json(parameter));
  for (const PosteriorAtBeta& at : posterior.sensitivity)
    json["sensitivity"].push_back(to_json(posterior, at));
  json["warnings"] = report.warnings;
  return json.dump();
}

SampleReport sample_posterior(const SampleOptions& options) {
  const Target target = parse_target(options.on, options.data);
  if (target.is_each)
    refuse("--on", "a distribution is that of a set of windows",
           "name a split or a file; `greybox estimate --on each` gives one value per window");
  const auto [run, choice] = open_target(options.run, target, {options.regularizer});
  const SampleMethod method = checked_method(options, *run.loaded.spec);
  const PosteriorRequest request{run, choice, regularizer_place(*run.loaded.model, options.regularizer),
                                 options, options.beta.value_or(0)};
  if (!options.beta) suggest_beta(request);
  SampleReport report;
  report.warnings = run.warnings;
  report.posterior = compute(request, method);
  if (!target.points.empty())
    std::fill(report.posterior.losses.begin(), report.posterior.losses.end(), std::nan(""));
  for (std::string& warning : posterior_warnings(request.parameters(), report.posterior))
    report.warnings.push_back(std::move(warning));
  record(run, report);
  report.json = posterior_json(report);
  return report;
}

}  // namespace greybox
