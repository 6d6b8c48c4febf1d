#include "analysis/estimate/estimate_result.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/estimate/estimate_json.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/run/errors_at.hpp"
#include "analysis/run/input_points.hpp"
#include "analysis/run/kept_estimates.hpp"
#include "core/limits.hpp"
#include "core/refuse.hpp"
#include "model/observed_error.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

bool has_estimate(const WindowEstimate& window) {
  return !std::isnan(window.regularizer);
}

// Means over the windows that have an estimate.
void add_means(Estimate& result) {
  const auto n =
      static_cast<double>(std::count_if(result.windows.begin(), result.windows.end(), has_estimate));
  result.regularizer = result.loss = 0;
  for (const WindowEstimate& window : result.windows) {
    if (!has_estimate(window)) continue;
    for (const auto& [name, value] : window.theta) result.theta_mean[name] += value / n;
    result.regularizer += window.regularizer / n;
    result.loss += window.loss / n;
  }
  for (const WindowEstimate& window : result.windows) {
    if (!has_estimate(window)) continue;
    for (const auto& [name, value] : window.theta)
      result.theta_sd[name] += (value - result.theta_mean[name]) * (value - result.theta_mean[name]) / n;
  }
  for (auto& [name, value] : result.theta_sd) value = std::sqrt(value);
}

std::size_t n_failed(const Estimate& result) {
  if (result.windows.empty()) return std::isnan(result.regularizer) ? 1 : 0;
  return static_cast<std::size_t>(
      std::count_if(result.windows.begin(), result.windows.end(),
                    [](const WindowEstimate& window) { return std::isnan(window.regularizer); }));
}

// An amortised estimator is another run's: its θ of each window say it all.
void add_outputs(const OpenedTarget& target, const EstimateOptions& options, Estimate& result) {
  const std::vector<ParameterSpec>& parameters = target.run.loaded.spec->parameters;
  std::vector<double> theta;
  std::vector<std::size_t> windows;
  const auto append = [&](const Theta& one) {
    for (const ParameterSpec& parameter : parameters) theta.push_back(one.at(parameter.name));
  };
  if (result.windows.empty()) {
    append(result.theta);
    windows = target.choice.windows;
  }
  for (std::size_t w = 0; w < result.windows.size(); ++w)
    if (has_estimate(result.windows[w])) {
      append(result.windows[w].theta);
      windows.push_back(target.choice.windows[w]);
    }
  ThreadPool pool(options.execution.n_threads);
  result.outputs = errors_at(target.run, windows, theta, pool);
}

void warn_of_unsettled(Estimate& result) {
  const char* const help =
      "give it more steps (option `steps`) or a higher rate (option `rate`), or use option `method` lbfgs";
  if (!result.unsettled.empty())
    result.warnings.push_back(fmt::format("adam was still moving {} when its steps were used up: {}",
                                          fmt::join(result.unsettled, ", "), help));
  const auto n = std::count_if(result.windows.begin(), result.windows.end(),
                               [](const WindowEstimate& window) { return !window.unsettled.empty(); });
  if (n > 0)
    result.warnings.push_back(
        fmt::format("adam was still moving in {} of {} windows when its steps were used up: {}", n,
                    result.windows.size(), help));
}

// `rmse` in the unit of results, which of several outputs has no meaning to a reader.
std::string error_text(const ModelSpec& spec, double rmse) {
  const double root = rmse / error_unit(spec);
  return error_measure(spec).text(root * root);
}

void add_warnings(const OpenedTarget& target, Estimate& result) {
  const ModelSpec& spec = *target.run.loaded.spec;
  const std::string reuse = reuse_warning(target.run, result.regularizer_name, result.on);
  if (!reuse.empty()) result.warnings.push_back(reuse);
  const std::size_t n = std::max<std::size_t>(1, result.windows.size());
  if (const std::size_t failed = n_failed(result); failed > 0)
    result.warnings.push_back(fmt::format("{} of {} estimates met no θ with finite trajectories", failed, n));
  if (!result.unconstrained.empty()) {
    std::vector<std::string> values;
    for (const auto& [name, value] : result.unconstrained)
      values.push_back(fmt::format("{} = {:.4g}", name, value));
    result.warnings.push_back(fmt::format("kept to θ that fit the data: {} alone is lowest at {}, with {}",
                                          result.regularizer_name, fmt::join(values, ", "),
                                          error_text(spec, result.unconstrained_rmse)));
  }
  if (std::isfinite(result.loss) && result.loss > target.run.loss_limit() && result.windows.empty())
    result.warnings.push_back(
        fmt::format("the estimate does not fit the data ({}): do not interpret it; train longer or "
                    "narrow the priors",
                    error_text(spec, result.rmse)));
  if (!result.at_bounds.empty())
    result.warnings.push_back(
        fmt::format("on the bound of its range: {}; the lowest R may lie beyond, or R may not depend on it",
                    fmt::join(result.at_bounds, ", ")));
  warn_of_unsettled(result);
}

// What the estimate was asked for, as it is kept with it.
Json options_json(const OpenedTarget& target, const EstimateOptions& options) {
  Json json{{"seed", options.seed}, {"precision", options.single_precision ? "float" : "double"}};
  json["on"] = options.each_window ? "each" : target.choice.name;
  if (options.data) json["data"] = target.run.loaded.data->table().file;
  if (options.starts) json["starts"] = *options.starts;
  if (options.steps) json["steps"] = *options.steps;
  if (options.rate) json["rate"] = {options.rate->first, options.rate->second};
  if (options.amortised) json["epochs"] = options.epochs;
  return json;
}

// Without measured outputs to compare with there are no errors.
void forget_errors(Estimate& result) {
  result.loss = result.rmse = result.nrmse = kNaN;
  for (WindowEstimate& window : result.windows) window.loss = window.rmse = window.nrmse = kNaN;
}

}  // namespace

WindowEstimate to_estimate(const ModelSpec& spec, const PointEstimate& point, double range) {
  WindowEstimate estimate;
  for (std::size_t p = 0; p < point.theta.size(); ++p) {
    const ParameterSpec& parameter = spec.parameters[p];
    estimate.theta[parameter.name] = point.theta[p];
    const bool is_at_end =
        std::find(point.at_open_ends.begin(), point.at_open_ends.end(), p) != point.at_open_ends.end();
    if (is_at_end || point.theta[p] <= parameter.low || point.theta[p] >= parameter.high)
      estimate.at_bounds.push_back(parameter.name);
  }
  for (std::size_t p : point.unsettled) estimate.unsettled.push_back(spec.parameters[p].name);
  estimate.regularizer = point.regularizer;
  estimate.loss = point.loss;
  estimate.rmse = error_unit(spec) * std::sqrt(point.loss);
  estimate.nrmse = estimate.rmse / range;
  estimate.n_evaluations = point.n_evaluations;
  for (std::size_t p = 0; p < point.unconstrained.size(); ++p)
    estimate.unconstrained[spec.parameters[p].name] = point.unconstrained[p];
  estimate.unconstrained_rmse = error_unit(spec) * std::sqrt(point.unconstrained_loss);
  return estimate;
}

void place_at(const LoadedModel& loaded, std::size_t window, WindowEstimate& estimate) {
  const Window& place = loaded.data->windows().windows[window];
  estimate.series = loaded.data->table().series[place.series].name;
  estimate.start = loaded.data->table().time[place.first_row];
}

void check_rates(const std::pair<double, double>& rate) {
  if (rate.first > 0 && rate.second > 0 && std::isfinite(rate.first + rate.second)) return;
  refuse_option("rate", "rates must be positive numbers",
                "give the first and the last, for instance 1e-2 and 1e-4");
}

Estimate new_estimate(const OpenedTarget& target, const EstimateOptions& options, const std::string& method) {
  Estimate result;
  result.regularizer_name = options.regularizer;
  result.method = method;
  result.on = target.choice.name;
  result.n_windows = target.choice.windows.size();
  result.warnings = target.run.warnings;
  return result;
}

void set_estimates(std::vector<WindowEstimate> estimates, bool is_per_window, Estimate& result) {
  if (is_per_window) {
    result.windows = std::move(estimates);
    return add_means(result);
  }
  WindowEstimate& one = estimates.front();
  result.theta = std::move(one.theta);
  result.regularizer = one.regularizer;
  result.loss = one.loss;
  result.rmse = one.rmse;
  result.nrmse = one.nrmse;
  result.n_evaluations = one.n_evaluations;
  result.at_bounds = std::move(one.at_bounds);
  result.unsettled = std::move(one.unsettled);
  result.unconstrained = std::move(one.unconstrained);
  result.unconstrained_rmse = one.unconstrained_rmse;
}

void complete(const OpenedTarget& target, const EstimateOptions& options, const std::string& purpose,
              Estimate& result) {
  if (!target.has_outputs) forget_errors(result);
  if (n_failed(result) == std::max<std::size_t>(1, result.windows.size()))
    refuse_option("regularizer",
                  fmt::format("R {} is finite nowhere on {}", result.regularizer_name, result.on),
                  "a term of it has no value there, such as log(0), or every trajectory diverges: narrow the "
                  "bounds of the parameters, or train longer");
  if (target.has_outputs) add_outputs(target, options, result);
  add_warnings(target, result);
  for (std::string& warning :
       record_use(target.run, {"estimate", result.on, purpose, ""}, {result.regularizer_name}))
    result.warnings.push_back(std::move(warning));
  if (!target.run.record) return;
  Json kept = summary_json(result);
  kept["options"] = options_json(target, options);
  try {
    keep_estimate(target.run, kept);
  } catch (const std::exception& error) {
    result.warnings.push_back(fmt::format("the estimate could not be kept: {}", error.what()));
  }
}

}  // namespace greybox
