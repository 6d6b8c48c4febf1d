#include "report/posterior_json.hpp"

namespace greybox {
namespace {

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

Json moments(const Posterior& posterior, const std::vector<double>& mean, const std::vector<double>& sd) {
  Json json = Json::array();
  for (std::size_t p = 0; p < mean.size(); ++p)
    json.push_back({{"name", posterior.parameters[p].name}, {"mean", mean[p]}, {"sd", sd[p]}});
  return json;
}

Json to_json(const Posterior& posterior, const PosteriorAtBeta& at) {
  return {{"beta", at.beta}, {"ess", at.ess}, {"parameters", moments(posterior, at.mean, at.sd)}};
}

Json to_json(const Posterior& posterior, const UnconstrainedPosterior& without) {
  return {{"fitting_share", without.fitting_share},
          {"parameters", moments(posterior, without.mean, without.sd)}};
}

}  // namespace

Json json_of(const Posterior& posterior) {
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
  if (posterior.unconstrained) json["unconstrained"] = to_json(posterior, *posterior.unconstrained);
  json["warnings"] = posterior.warnings;
  return json;
}

std::string to_json(const Posterior& posterior) {
  return json_of(posterior).dump();
}

}  // namespace greybox
