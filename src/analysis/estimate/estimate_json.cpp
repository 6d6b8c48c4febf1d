#include "analysis/estimate/estimate_json.hpp"

#include "data/output_errors_json.hpp"

namespace greybox {
namespace {

template <class T>
Json point_json(const T& estimate) {
  Json json{
      {"theta", estimate.theta},        {"R", estimate.regularizer}, {"L", estimate.loss},
      {"rmse", estimate.rmse},          {"nrmse", estimate.nrmse},   {"evaluations", estimate.n_evaluations},
      {"at_bounds", estimate.at_bounds}};
  if (!estimate.unsettled.empty()) json["unsettled"] = estimate.unsettled;
  if (!estimate.unconstrained.empty())
    json["unconstrained"] = {{"theta", estimate.unconstrained}, {"rmse", estimate.unconstrained_rmse}};
  return json;
}

// Means over windows are not called `theta`: no window was estimated to have them.
Json means_json(const Estimate& estimate) {
  return {{"theta_mean", estimate.theta_mean},
          {"theta_sd", estimate.theta_sd},
          {"R", estimate.regularizer},
          {"L", estimate.loss}};
}

}  // namespace

Json summary_json(const Estimate& estimate) {
  Json json = estimate.windows.empty() ? point_json(estimate) : means_json(estimate);
  if (!estimate.outputs.empty()) json["outputs"] = json_of(estimate.outputs);
  json["regularizer"] = estimate.regularizer_name;
  json["method"] = estimate.method;
  json["on"] = estimate.on;
  json["windows"] = estimate.n_windows;
  if (estimate.trained && !estimate.trained->folder().empty())
    json["run"] = estimate.trained->folder().string();
  if (!estimate.note.empty()) json["note"] = estimate.note;
  json["warnings"] = estimate.warnings;
  return json;
}

std::string to_json(const Estimate& estimate) {
  Json json = summary_json(estimate);
  for (const WindowEstimate& window : estimate.windows) {
    Json one = point_json(window);
    one["series"] = window.series;
    one["time"] = window.start;
    json["estimates"].push_back(std::move(one));
  }
  return json.dump();
}

}  // namespace greybox
