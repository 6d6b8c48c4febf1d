#include "analysis/estimate/estimate_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/run/data_reuse.hpp"
#include "core/atomic_file.hpp"
#include "train/run_folder.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFile = "estimates.json";
constexpr const char* kLock = ".estimates.lock";

Json to_json(const Estimate& estimate) {
  return {
      {"theta", estimate.theta},        {"R", estimate.regularizer}, {"L", estimate.loss},
      {"rmse", estimate.rmse},          {"nrmse", estimate.nrmse},   {"evaluations", estimate.n_evaluations},
      {"at_bounds", estimate.at_bounds}};
}

// Means over windows. They are not called `theta`: no window was estimated to have them.
Json summary_of(const std::vector<Estimate>& estimates) {
  std::map<std::string, double> mean, sd;
  double regularizer = 0, loss = 0;
  const auto n = static_cast<double>(estimates.size());
  for (const Estimate& estimate : estimates) {
    for (const auto& [name, value] : estimate.theta) mean[name] += value / n;
    regularizer += estimate.regularizer / n;
    loss += estimate.loss / n;
  }
  for (const Estimate& estimate : estimates)
    for (const auto& [name, value] : estimate.theta)
      sd[name] += (value - mean[name]) * (value - mean[name]) / n;
  for (auto& [name, value] : sd) value = std::sqrt(value);
  return {{"theta_mean", mean}, {"theta_sd", sd}, {"R", regularizer}, {"L", loss}};
}

Json to_json(const EstimateReport& report) {
  Json json = report.is_per_window ? summary_of(report.estimates) : to_json(report.estimates[0]);
  json["regularizer"] = report.regularizer;
  json["method"] = report.method;
  json["on"] = report.on;
  json["windows"] = report.n_windows;
  if (!report.run.empty()) json["run"] = report.run.string();
  if (!report.note.empty()) json["note"] = report.note;
  json["warnings"] = report.warnings;
  return json;
}

Json windows_json(const EstimateReport& report) {
  Json list = Json::array();
  for (const Estimate& estimate : report.estimates) {
    Json one = to_json(estimate);
    one["series"] = estimate.series;
    one["time"] = estimate.time;
    list.push_back(std::move(one));
  }
  return list;
}

Json to_json(const EstimateOptions& options) {
  Json json{{"seed", options.seed}, {"precision", options.single_precision ? "float" : "double"}};
  if (!options.on.empty()) json["on"] = options.on;
  if (!options.data.empty()) json["data"] = options.data.string();
  if (options.starts) json["starts"] = *options.starts;
  if (options.steps) json["steps"] = *options.steps;
  if (options.rate) json["rate"] = {options.rate->first, options.rate->second};
  if (options.amortised) json["epochs"] = options.epochs;
  return json;
}

// Whole, also when several processes append at the same time. A file that is no list is left alone.
void append(const std::filesystem::path& folder, const Json& estimate) {
  const FileLock lock = FileLock::when_free(folder / kLock);
  Json all = Json::array();
  if (std::ifstream file(folder / kFile); file) all = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!all.is_array())
    throw std::runtime_error(fmt::format("{} is not a list of estimates", (folder / kFile).string()));
  all.push_back(estimate);
  write_file_atomically(folder / kFile, all.dump(2) + '\n');
}

void add_warnings(const OpenedRun& run, EstimateReport& report) {
  const std::string reuse = reuse_warning(run, report.regularizer, report.on);
  if (!reuse.empty()) report.warnings.push_back(reuse);
  std::size_t n_failed = 0;
  for (const Estimate& estimate : report.estimates) n_failed += std::isnan(estimate.regularizer) ? 1 : 0;
  if (n_failed > 0)
    report.warnings.push_back(fmt::format("{} of {} estimates met no θ with finite trajectories", n_failed,
                                          report.estimates.size()));
  if (!report.is_per_window && !report.estimates[0].at_bounds.empty())
    report.warnings.push_back(
        fmt::format("on the bound of its range: {}; the lowest R may lie beyond, or R may not depend on it",
                    fmt::join(report.estimates[0].at_bounds, ", ")));
}

}  // namespace

Estimate to_estimate(const ModelSpec& spec, const PointEstimate& point, double range) {
  Estimate estimate;
  for (std::size_t p = 0; p < point.theta.size(); ++p) {
    const ParameterSpec& parameter = spec.parameters[p];
    estimate.theta[parameter.name] = point.theta[p];
    if (point.theta[p] <= parameter.low || point.theta[p] >= parameter.high)
      estimate.at_bounds.push_back(parameter.name);
  }
  estimate.regularizer = point.regularizer;
  estimate.loss = point.loss;
  estimate.rmse = std::sqrt(point.loss);
  estimate.nrmse = estimate.rmse / range;
  estimate.n_evaluations = point.n_evaluations;
  return estimate;
}

void place_at(const LoadedModel& loaded, std::size_t window, Estimate& estimate) {
  const Window& place = loaded.data->windows().windows[window];
  estimate.series = loaded.data->table().series[place.series].name;
  estimate.time = loaded.data->table().time[place.first_row];
}

void forget_errors(std::vector<Estimate>& estimates) {
  for (Estimate& estimate : estimates) estimate.loss = estimate.rmse = estimate.nrmse = std::nan("");
}

void check_rates(const std::pair<double, double>& rate) {
  if (rate.first > 0 && rate.second > 0 && std::isfinite(rate.first + rate.second)) return;
  throw InputError(Diagnostic{.file = "--rate",
                              .message = "rates must be positive numbers",
                              .help = "write --rate FIRST:LAST, for instance 1e-2:1e-4"});
}

void complete_report(const OpenedRun& run, const EstimateOptions& options, const std::string& purpose,
                     EstimateReport& report) {
  add_warnings(run, report);
  const std::string trouble = record_use(run, {"estimate", report.on, purpose, ""}, {report.regularizer});
  if (!trouble.empty()) report.warnings.push_back(trouble);
  Json json = to_json(report);
  Json kept = json;  // without the windows: they are in a file of their own
  kept["options"] = to_json(options);
  try {
    if (run.info) append(run.folder, kept);
  } catch (const std::runtime_error& error) {
    report.warnings.push_back(fmt::format("the estimate could not be kept: {}", error.what()));
    json["warnings"] = report.warnings;
  }
  if (report.is_per_window) json["estimates"] = windows_json(report);
  report.json = json.dump();
}

}  // namespace greybox
