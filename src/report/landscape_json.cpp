// A landscape as one JSON object.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/median.hpp"
#include "data/output_errors_json.hpp"
#include "greybox/landscape.hpp"
#include "report/verdict_json.hpp"

namespace greybox {
namespace {

Json to_json(const LandscapeMinimum& minimum, const LandscapeGrid& landscape) {
  Json json{{"theta", minimum.parameters}, {"value", minimum.value}};
  if (minimum.spread > 0) json["spread"] = minimum.spread;
  if (minimum.is_cut_off) json["is_cut_off"] = true;
  if (landscape.view.kind.empty()) return json;
  for (std::size_t k = 0; k < landscape.axes.size(); ++k)
    json["coordinates"][landscape.axes[k].name] = minimum.theta[k];
  return json;
}

Json to_json(const std::vector<LandscapeMinimum>& minima, const LandscapeGrid& landscape) {
  Json json = Json::array();
  for (const LandscapeMinimum& minimum : minima) json.push_back(to_json(minimum, landscape));
  return json;
}

Json summary(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
  for (double value : values) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  return {{"min", low}, {"median", median_of(values)}, {"max", high}};
}

double share_of(const std::vector<std::uint8_t>& flags) {
  const auto n = std::count(flags.begin(), flags.end(), std::uint8_t{1});
  return static_cast<double>(n) / static_cast<double>(flags.size());
}

Json to_json(const LandscapeMap& map, const LandscapeGrid& landscape) {
  Json json{{"expression", map.expression}, {"minima", to_json(map.minima, landscape)}};
  if (!map.outputs.empty()) json["outputs"] = json_of(map.outputs);
  if (map.unconstrained) json["unconstrained"] = to_json(*map.unconstrained, landscape);
  if (!map.matched.empty()) json["matched_difference"] = map.matched_difference;
  if (map.band.networks.empty()) return json;
  json["spread"] = summary(map.band.spread);
  json["may_be_lowest_share"] = share_of(map.may_be_lowest);
  for (std::size_t k = 0; k < map.network_minima.size(); ++k)
    json["networks"].push_back(
        {{"seed", landscape.seeds[k]}, {"minima", to_json(map.network_minima[k], landscape)}});
  return json;
}

Json to_json(const LandscapeView& view) {
  Json json{{"kind", view.kind}};
  for (std::size_t p = 0; p < view.parameters.size(); ++p)
    json["origin"][view.parameters[p]] = view.origin[p];
  for (const std::vector<double>& direction : view.directions) {
    Json components;
    for (std::size_t p = 0; p < view.parameters.size(); ++p) components[view.parameters[p]] = direction[p];
    json["directions"].push_back(components);
  }
  return json;
}

Json to_json(const LandscapeGrid& landscape) {
  Json json;
  for (const LandscapeAxis& axis : landscape.axes)
    json["parameters"][axis.name] = {{"low", axis.values.front()},
                                     {"high", axis.values.back()},
                                     {"points", axis.values.size()},
                                     {"scale", axis.is_log ? "log" : "linear"}};
  json["held"] = landscape.held;
  if (!landscape.view.kind.empty()) json["view"] = to_json(landscape.view);
  json["split"] = landscape.split;
  json["windows"] = landscape.n_windows;
  json["seeds"] = landscape.seeds;
  json["computed"] = landscape.n_computed;
  json["interpolation_error"] = landscape.interpolation_error;
  json["regularizers"] = Json::object();
  for (const LandscapeMap& map : landscape.maps) json["regularizers"][map.name] = to_json(map, landscape);
  json["rmse"] = summary(landscape.rmse);
  json["nrmse"] = summary(landscape.nrmse);
  json["adaptivity"] = {{"poor_share", share_of(landscape.is_poor)}, {"sentence", landscape.adaptivity}};
  return json;
}

Json to_json(const RetrainedPoint& point) {
  Json json{{"theta", point.theta},
            {"rmse", {{"adaptive", point.adaptive_rmse}, {"retrained", point.retrained_rmse}}}};
  for (const RetrainedValue& value : point.values) {
    Json& one = json["regularizers"][value.regularizer];
    one = {{"adaptive", value.adaptive},
           {"spread", value.spread},
           {"band", value.band},
           {"retrained", value.retrained}};
    // One network has no band to be within.
    one["within"] = std::isnan(value.spread) ? Json() : Json(value.is_within);
  }
  return json;
}

Json to_json(const RetrainedSummary& summary) {
  return {{"regularizer", summary.regularizer},
          {"points", summary.n_points},
          {"within", summary.n_within},
          {"median_difference", summary.median_difference},
          {"rank_correlation", summary.rank_correlation}};
}

}  // namespace

std::string to_json(const Landscape& landscape, const Verdicts* verdicts) {
  Json json;
  for (const LandscapeGrid& one : landscape.grids) json["landscapes"].push_back(to_json(one));
  for (const RetrainedPoint& point : landscape.retrained) json["retrained"].push_back(to_json(point));
  for (const RetrainedSummary& one : landscape.retrained_summary)
    json["retrained_summary"].push_back(to_json(one));
  if (verdicts != nullptr) json.update(json_of(*verdicts));
  std::vector<std::string> warnings = landscape.warnings;
  if (verdicts != nullptr)
    warnings.insert(warnings.end(), verdicts->warnings.begin(), verdicts->warnings.end());
  json["warnings"] = warnings;
  return json.dump();
}

}  // namespace greybox
