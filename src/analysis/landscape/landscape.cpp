// The command `landscape`: a run folder in, maps of regularizers and errors out.
#include "greybox/landscape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/landscape/brute_force.hpp"
#include "analysis/landscape/landscape_json.hpp"
#include "analysis/landscape/landscape_maps.hpp"
#include "analysis/landscape/views.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/run/reference_point.hpp"
#include "analysis/verdict/verdict.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

void check_combinations(const LandscapeOptions& options) {
  if (!options.window.empty() && (!options.split.empty() || options.sample > 0))
    refuse("--window", "one window is asked for, and a split as well", "leave out --split and --sample");
  if (!options.view.empty() && !options.vary.empty())
    refuse("--view", "a view varies all parameters together", "leave out --vary");
  if (!options.view.empty() && options.retrain > 0)
    refuse("--retrain", "networks are retrained over parameters, not in a view", "leave out --view");
}

// Estimates are made on the test windows: what is looked at before should be others.
WindowChoice choose(const OpenedRun& run, const LandscapeOptions& options) {
  if (!options.window.empty()) return choose_window(run, options.window);
  const std::string split =
      options.split.empty() ? default_split(run, {Split::validation, Split::train}) : options.split;
  return choose_windows(run, split, options.sample, "--split");
}

std::vector<ThetaGrid> grids_for(const OpenedRun& run, const WindowChoice& choice,
                                 const LandscapeOptions& options) {
  const std::map<std::string, double> reference = reference_point(run, choice, options);
  if (!options.view.empty()) return {make_view(run, choice, options, reference)};
  return make_grids(*run.loaded.spec, {options.vary, options.at, reference});
}

void add_warnings(LandscapeReport& report) {
  for (const Landscape& landscape : report.landscapes)
    if (std::count(landscape.is_poor.begin(), landscape.is_poor.end(), std::uint8_t{1}) > 0)
      report.warnings.push_back(landscape.adaptivity);
  const auto has_diverged = [](const RetrainedPoint& point) { return std::isnan(point.retrained_rmse); };
  const auto n = std::count_if(report.retrained.begin(), report.retrained.end(), has_diverged);
  if (n > 0)
    report.warnings.push_back(
        fmt::format("{} of {} trainings at fixed θ diverged", n, report.retrained.size()));
}

// The account of what was looked at; returns a warning when it cannot be kept.
std::string record(const OpenedRun& run, const WindowChoice& choice) {
  std::vector<std::string> seen;
  for (const BoundRegularizer& regularizer : run.loaded.model->regularizers) seen.push_back(regularizer.name);
  return record_use(run, {"landscape", choice.name, "landscape of the regularizer", ""}, seen);
}

}  // namespace

LandscapeReport landscape(const LandscapeOptions& options) {
  check_combinations(options);
  const OpenedRun run = open_run(options.run, options.data, options.regularizers);
  const WindowChoice choice = choose(run, options);
  const std::vector<ThetaGrid> grids = grids_for(run, choice, options);
  NetworkOptions training = options.networks;
  training.n_threads = options.n_threads;
  const Networks networks = gather_networks(run, training);

  LandscapeReport report;
  report.warnings = run.warnings;
  report.warnings.insert(report.warnings.end(), networks.warnings.begin(), networks.warnings.end());
  const std::vector<GridValues> values = scan_grids(run, networks, choice, grids, options);
  for (std::size_t g = 0; g < grids.size(); ++g)
    report.landscapes.push_back(make_landscape(run, networks, choice, grids[g], values[g]));
  if (options.retrain > 0) {
    report.retrained = compare_with_retraining(run, networks, choice, grids, options);
    report.retrained_summary = summarise(report.retrained);
  }
  if (options.verdicts)
    report.verdicts = judge(run, networks, choice,
                            {.held = options.at,
                             .n_threads = options.n_threads,
                             .cancel = options.networks.cancel,
                             .progress = options.verdict_progress});
  add_warnings(report);
  const std::string trouble = record(run, choice);
  if (!trouble.empty()) report.warnings.push_back(trouble);
  report.json = landscape_json(report);
  return report;
}

}  // namespace greybox
