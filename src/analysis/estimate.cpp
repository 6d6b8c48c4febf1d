// The command `estimate`: a run folder and a regularizer in, the θ at which it is lowest out.
#include "greybox/estimate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/data_reuse.hpp"
#include "analysis/point_estimate.hpp"
#include "analysis/target.hpp"
#include "analysis/window_choice.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMethods[] = {"grid", "adam", "lbfgs", "bobyqa", "direct"};

[[noreturn]] void refuse(std::string option, std::string message, std::string help) {
  throw InputError(
      Diagnostic{.file = std::move(option), .message = std::move(message), .help = std::move(help)});
}

PointOptions point_options(const EstimateOptions& options, const ModelSpec& spec) {
  const std::size_t n = spec.parameters.size();
  if (n == 0)
    refuse(spec.source->path, "the model has no parameters to estimate", "add them in [parameters]");
  PointOptions point =
      default_options(options.method.value_or(n <= 2 ? EstimateMethod::grid : EstimateMethod::adam));
  if (point.method == EstimateMethod::grid && n > 2)
    refuse("--method", fmt::format("a grid over {} parameters would be too large", n),
           "use adam, lbfgs, bobyqa or direct");
  point.n_starts = options.starts.value_or(point.n_starts);
  point.n_steps = options.steps.value_or(point.n_steps);
  point.rate_start = options.rate.first;
  point.rate_end = options.rate.second;
  point.seed = options.seed;
  if (point.n_starts == 0) refuse("--starts", "there is nothing to start from", "give 1 or more");
  if (point.n_steps == 0) refuse("--steps", "no step is to be taken", "give 1 or more");
  if (!(point.rate_start > 0 && point.rate_end > 0 && std::isfinite(point.rate_start + point.rate_end)))
    refuse("--rate", "rates must be positive numbers", "write --rate FIRST:LAST, for instance 1e-2:1e-4");
  return point;
}

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

template <class T>
std::vector<Estimate> find(const OpenedRun& run, const WindowChoice& choice, const PointOptions& point,
                           bool is_each, const EstimateOptions& options) {
  ThreadPool pool(options.n_threads);
  const LoadedModel& loaded = run.loaded;
  const std::size_t regularizer = regularizer_place(*loaded.model, options.regularizer);
  const double range = observed_range(loaded, choice.windows);
  const std::size_t n_at_once = is_each ? 1 : choice.windows.size();
  PointEstimator<T> estimator(loaded, run.weights, regularizer, n_at_once, pool, point);
  std::vector<Estimate> estimates;
  for (std::size_t first = 0; first < choice.windows.size(); first += n_at_once) {
    const std::span<const std::size_t> windows = std::span(choice.windows).subspan(first, n_at_once);
    estimates.push_back(to_estimate(*loaded.spec, estimator.estimate(windows), range));
    if (!is_each) break;
    const Window& window = loaded.data->windows().windows[windows[0]];
    estimates.back().series = loaded.data->table().series[window.series].name;
    estimates.back().time = loaded.data->table().time[window.first_row];
    if (options.progress) options.progress(first + 1, choice.windows.size());
  }
  return estimates;
}

void add_warnings(const OpenedRun& run, EstimateReport& report) {
  const std::string reuse = reuse_warning(run, report.regularizer, report.on);
  if (!reuse.empty()) report.warnings.push_back(reuse);
  std::size_t n_failed = 0;
  for (const Estimate& estimate : report.estimates) n_failed += std::isnan(estimate.regularizer) ? 1 : 0;
  if (n_failed > 0)
    report.warnings.push_back(fmt::format("{} of {} estimates met no θ with finite trajectories", n_failed,
                                          report.estimates.size()));
  if (report.estimates.size() == 1 && !report.estimates[0].at_bounds.empty())
    report.warnings.push_back(
        fmt::format("on the bound of its range: {}; the lowest R may lie beyond, or R may not depend on it",
                    fmt::join(report.estimates[0].at_bounds, ", ")));
}

Json to_json(const Estimate& estimate) {
  return {
      {"theta", estimate.theta},        {"R", estimate.regularizer}, {"L", estimate.loss},
      {"rmse", estimate.rmse},          {"nrmse", estimate.nrmse},   {"evaluations", estimate.n_evaluations},
      {"at_bounds", estimate.at_bounds}};
}

std::string to_json(const EstimateReport& report, bool is_each) {
  Json json = is_each ? Json::object() : to_json(report.estimates[0]);
  if (is_each)
    for (const Estimate& estimate : report.estimates) {
      Json one = to_json(estimate);
      one["series"] = estimate.series;
      one["time"] = estimate.time;
      json["estimates"].push_back(one);
    }
  json["regularizer"] = report.regularizer;
  json["method"] = report.method;
  json["on"] = report.on;
  json["windows"] = report.n_windows;
  json["warnings"] = report.warnings;
  return json.dump();
}

}  // namespace

EstimateReport estimate(const EstimateOptions& options) {
  const Target target = parse_target(options.on, options.data);
  const OpenedRun run = open_run(options.run, target.data, {options.regularizer});
  const WindowChoice choice = choose_windows(run, target.split, 0, "--on");
  const PointOptions point = point_options(options, *run.loaded.spec);
  EstimateReport report{.regularizer = options.regularizer,
                        .method = kMethods[static_cast<std::size_t>(point.method)],
                        .on = choice.name,
                        .n_windows = choice.windows.size(),
                        .estimates = {},
                        .warnings = run.warnings,
                        .json = {}};
  report.estimates = options.single_precision ? find<float>(run, choice, point, target.is_each, options)
                                              : find<double>(run, choice, point, target.is_each, options);
  add_warnings(run, report);
  const std::string purpose = target.is_each ? "point estimates, one per window" : "point estimate";
  const std::string trouble = record_use(run, {"estimate", choice.name, purpose, ""}, {options.regularizer});
  if (!trouble.empty()) report.warnings.push_back(trouble);
  report.json = to_json(report, target.is_each);
  return report;
}

}  // namespace greybox
