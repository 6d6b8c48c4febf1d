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

Json to_json(const Posterior& posterior, const PosteriorAtBeta& at) {
  Json json{{"beta", at.beta}, {"ess", at.ess}, {"parameters", Json::array()}};
  for (std::size_t p = 0; p < at.mean.size(); ++p)
    json["parameters"].push_back(
        {{"name", posterior.parameters[p].name}, {"mean", at.mean[p]}, {"sd", at.sd[p]}});
  return json;
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
  json["warnings"] = posterior.warnings;
  return json;
}

std::string to_json(const Posterior& posterior) {
  return json_of(posterior).dump();
}

}  // namespace greybox
