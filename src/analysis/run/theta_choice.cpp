#include "analysis/run/theta_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/kept_estimates.hpp"
#include "core/refuse.hpp"
#include "data/npz.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

[[noreturn]] void refuse_origin(const OpenedRun& run, const std::string& what, std::string help) {
  refuse_option("theta", fmt::format("{} {}", run.name(), what), std::move(help));
}

Theta own_theta(const OpenedRun& run) {
  return run.record ? run.record->theta : Theta{};
}

std::vector<double> from_run(const OpenedRun& run) {
  const Theta theta = own_theta(run);
  if (theta.empty())
    refuse_origin(run, "has no θ of its own: its network was trained for every θ",
                  "take the last estimate, or give a value for every parameter");
  return theta_from(*run.loaded.spec, theta);
}

std::vector<double> from_estimate(const OpenedRun& run) {
  const auto last = KeptEstimates(run).last_theta();
  if (!last)
    refuse_origin(run, "holds no estimate that is one θ for all windows",
                  "estimate first, or give a value for every parameter");
  return theta_from(*run.loaded.spec, last->theta);
}

std::vector<double> from_estimator(const OpenedRun& run) {
  if (run.loaded.model->estimator.empty())
    refuse(run.loaded.spec->source->path, "the model has no [estimator] that could give the parameters",
           "give a value for every parameter as option `theta`");
  return {};
}

std::vector<double> from_posterior(const OpenedRun& run) {
  const std::vector<std::vector<double>> draws = posterior_draws(run, 0);
  std::vector<double> mean(draws.front().size());
  for (const std::vector<double>& draw : draws)
    for (std::size_t p = 0; p < mean.size(); ++p) mean[p] += draw[p] / static_cast<double>(draws.size());
  return mean;
}

std::vector<double> automatic(const OpenedRun& run) {
  if (!run.loaded.model->estimator.empty()) return from_estimator(run);
  if (!own_theta(run).empty()) return from_run(run);
  return KeptEstimates(run).last_theta() ? from_estimate(run) : from_estimator(run);
}

std::map<std::string, std::vector<double>> kept_draws(const OpenedRun& run) {
  const std::filesystem::path folder = run.handle.folder();
  if (folder.empty()) {
    RunState& state = run.handle.state();
    const std::lock_guard lock(state.mutex);
    return state.posterior_draws;
  }
  const std::filesystem::path file = folder / "sample" / "posterior.npz";
  std::map<std::string, std::vector<double>> draws;
  if (std::filesystem::exists(file))
    for (const auto& [name, array] : read_npz(file)) draws[name] = array.to_doubles();
  return draws;
}

// The file may be another's.
void check_draws(const OpenedRun& run, const std::vector<const std::vector<double>*>& columns) {
  for (const std::vector<double>* column : columns) {
    const bool is_whole = column->size() == columns.front()->size() &&
                          std::ranges::all_of(*column, [](double value) { return std::isfinite(value); });
    if (!is_whole)
      refuse_origin(run, "holds a distribution whose draws do not have a number for every parameter",
                    "sample again, or give a value for every parameter");
  }
}

}  // namespace

std::vector<double> chosen_theta(const OpenedRun& run, const Theta& values, ThetaFrom origin) {
  if (!values.empty() || run.loaded.spec->parameters.empty()) return theta_from(*run.loaded.spec, values);
  switch (origin) {
    case ThetaFrom::automatic:
      return automatic(run);
    case ThetaFrom::run:
      return from_run(run);
    case ThetaFrom::estimate:
      return from_estimate(run);
    case ThetaFrom::posterior:
      return from_posterior(run);
    case ThetaFrom::tailored:
      refuse_origin(run, "is asked for one θ, and mode tailored gives every window its own",
                    "predictions can have those; take what they start from, the run's own θ, or give values");
    case ThetaFrom::estimator:
      break;
  }
  return from_estimator(run);
}

TailoredWindows chosen_theta(const OpenedTarget& target, const Theta& values, ThetaFrom origin,
                             ThreadPool& pool) {
  const OpenedRun& run = target.run;
  const std::string regularizer = tailoring_regularizer(run.handle);
  const bool is_automatic = origin == ThetaFrom::automatic && run.loaded.model->estimator.empty();
  if (!values.empty() || !(origin == ThetaFrom::tailored || (is_automatic && !regularizer.empty())))
    return {chosen_theta(run, values, origin)};
  if (regularizer.empty())
    refuse_origin(run, "was not trained in mode tailored",
                  "give a value for every parameter, or another origin");
  const std::vector<double> start = from_run(run);
  return tailored_windows<double>(
      run.loaded,
      {run.weights, regularizer_place(*run.loaded.model, regularizer), target.choice.windows, start}, pool);
}

std::string tailoring_regularizer(const Run& run) {
  const std::optional<RunRecord> record = run.record();
  return record && record->options.mode == TrainMode::tailored ? record->options.regularizer : "";
}

std::vector<std::vector<double>> posterior_draws(const OpenedRun& run, std::size_t n) {
  const auto kept = kept_draws(run);
  std::vector<const std::vector<double>*> columns;
  for (const ParameterSpec& parameter : run.loaded.spec->parameters) {
    const auto found = kept.find(parameter.name);
    if (found == kept.end() || found->second.empty())
      refuse_origin(run, "holds no distribution of its parameters",
                    "sample first, or give a value for every parameter");
    columns.push_back(&found->second);
  }
  check_draws(run, columns);
  const std::size_t n_all = columns.front()->size(), n_taken = n == 0 ? n_all : std::min(n, n_all);
  std::vector<std::vector<double>> draws(n_taken);
  for (std::size_t i = 0; i < n_taken; ++i)
    for (const std::vector<double>* column : columns) draws[i].push_back(column->at(i * n_all / n_taken));
  return draws;
}

}  // namespace greybox
