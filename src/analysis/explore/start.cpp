// What the explorer's page starts from.
#include <algorithm>
#include <cmath>

#include "analysis/explore/answers.hpp"
#include "analysis/explore/pins.hpp"
#include "analysis/page/report_parts.hpp"
#include "analysis/run/kept_estimates.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/theta/prior_density.hpp"
#include "core/limits.hpp"
#include "greybox/version.hpp"
#include "model/theta.hpp"
#include "report/verdict_json.hpp"

namespace greybox {
namespace {

constexpr std::size_t kDensityPoints = 61;
// More windows than a person chooses from.
constexpr std::size_t kMostListed = 2000;

Json density_json(const ParameterSpec& parameter, double low, double high, bool is_log) {
  const PriorDensity density(parameter);
  std::vector<double> x = axis_values(low, high, kDensityPoints, is_log), y;
  // Over a logarithmic axis, that of the logarithm.
  for (double theta : x) y.push_back(std::exp(density.log_density(theta)) * (is_log ? theta : 1));
  return {{"x", x}, {"y", y}};
}

Json live_parameters(const ExploreSession& session, const ModelSpec& spec) {
  const ThetaBox& box = session.box();
  Json list = Json::array();
  for (std::size_t p = 0; p < box.size(); ++p)
    list.push_back({{"name", spec.parameters[p].name},
                    {"low", box.likely_low()[p]},
                    {"high", box.likely_high()[p]},
                    {"bounds", {box.low()[p], box.high()[p]}},
                    {"scale", box.is_log(p) ? "log" : "linear"},
                    {"middle", box.middle()[p]},
                    {"density", density_json(spec.parameters[p], box.likely_low()[p], box.likely_high()[p],
                                             box.is_log(p))}});
  return list;
}

Json live_splits(const ExploreSession& session) {
  const WindowData& data = session.model()->run.loaded.data->windows();
  Json splits = Json::object();
  for (Split split : {Split::train, Split::validation, Split::test}) {
    const std::vector<std::size_t>& all = session.windows_of(split);
    if (all.empty()) continue;
    const std::vector<std::size_t> listed = stratified_draw(all, kMostListed);
    std::vector<std::string> series;
    std::vector<double> start;
    for (std::size_t window : listed) {
      series.push_back(data.table->series[data.windows[window].series].name);
      start.push_back(data.table->time[data.windows[window].first_row]);
    }
    splits[to_string(split)] = {{"n", all.size()}, {"index", listed}, {"series", series}, {"start", start}};
  }
  return splits;
}

struct StartingTheta {
  std::vector<double> theta;
  std::string why;
};

// Where the regularizer of the training is lowest, as far as its verdicts say.
StartingTheta starting_theta(const ExploreSession& session, const OpenedRun& run, const Json& verdicts) {
  const ModelSpec& spec = *run.loaded.spec;
  // Bounds may have been narrower when it was kept.
  const auto within = [&](const Theta& theta) {
    try {
      return theta_from(spec, theta);
    } catch (const InputError&) {
      return session.box().middle();
    }
  };
  if (const auto last = KeptEstimates(run).last_theta())
    return {within(last->theta), "the estimate under " + last->regularizer};
  if (run.record && !run.record->theta.empty()) return {within(run.record->theta), "θ of the training"};
  Theta lowest;
  for (const Json& verdict : verdicts) {
    const double best = verdict.at("best").is_number() ? verdict.at("best").get<double>() : kNaN;
    if (run.record && verdict.at("regularizer") == run.record->options.regularizer && std::isfinite(best))
      lowest[verdict.at("parameter").get<std::string>()] = best;
  }
  if (lowest.size() == spec.parameters.size())
    return {within(lowest),
            "the lowest point of " + run.record->options.regularizer + ", as its verdicts have it"};
  return {session.box().middle(), "the middle of the prior"};
}

// Verdicts that an earlier command left, with their summary.
Json kept_verdicts(const OpenedRun& run) {
  const std::optional<KeptPage> kept = kept_page(run, PagePart::verdicts);
  if (kept) try {
      return json_of(verdicts_from(JsonValue(kept->content, "verdicts.json")));
    } catch (const InputError&) {
    }
  return {{"summary", Json::array()}, {"verdicts", Json::array()}, {"combinations", Json::array()}};
}

Json live_json(const ExploreSession& session, const std::string& path, const Json& verdicts) {
  const std::shared_ptr<const ExploredModel> model = session.model();
  const BoundModel& bound = *model->run.loaded.model;
  const StartingTheta start = starting_theta(session, model->run, verdicts);
  const bool is_field = model->run.loaded.spec->grid.is_given;
  Json live{{"path", path},
            {"kind", is_field               ? "fields"
                     : bound.is_algebraic() ? "points"
                                            : "series"},
            {"parameters", live_parameters(session, *model->run.loaded.spec)},
            {"theta", start.theta},
            {"why", start.why},
            {"seeds", model->networks->seeds},
            {"splits", live_splits(session)},
            {"split", session.windows_of(Split::validation).empty() ? "train" : "validation"},
            {"is_test_unlocked", session.is_test_unlocked()},
            {"n_quick", session.n_quick()},
            {"most_shown", ExploreSession::kMostShown},
            {"terms", model->terms},
            {"time_unit", model->run.loaded.data->table().time_unit},
            {"outputs", Json::array()},
            {"states", Json::array()},
            {"pins", json_of(kept_pins(model->run.handle))}};
  if (is_field) live["shape"] = {bound.grid().height, bound.grid().width};
  for (const Observed& observed : bound.observed) live["outputs"].push_back(observed.name);
  for (const BoundState& state : bound.states) live["states"].push_back(state.name);
  return live;
}

Json candidates_of(const ModelSpec& spec) {
  Json list = Json::array();
  for (const Equation& equation : spec.regularizers)
    list.push_back({{"name", equation.name}, {"expression", equation.text}});
  return list;
}

}  // namespace

Json start_of(const ExploreSession& session, const std::string& path) {
  const std::shared_ptr<const ExploredModel> model = session.model();
  const OpenedRun& opened = model->run;
  const Run& run = opened.handle;
  const Json verdicts = kept_verdicts(opened);
  const KeptEstimates estimates(opened);
  std::vector<std::string> warnings = opened.warnings;
  const std::vector<std::string>& more = model->networks->warnings;
  warnings.insert(warnings.end(), more.begin(), more.end());
  return {{"version", std::string(version())},
          {"title", opened.loaded.spec->name},
          {"run", run.folder().lexically_normal().string()},
          {"model", report_model(opened.loaded)},
          {"training", report_training(opened)},
          {"regularizers", candidates_of(*opened.loaded.spec)},
          {"summary", verdicts.at("summary")},
          {"verdicts", verdicts.at("verdicts")},
          {"estimates", report_estimates(JsonValue(estimates.json(), "estimates.json"))},
          {"warnings", warnings},
          {"live", live_json(session, path, verdicts.at("verdicts"))}};
}

}  // namespace greybox
