// Landscapes as their users ask for them.
#include "greybox/landscape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/landscape/brute_force.hpp"
#include "analysis/landscape/landscape_maps.hpp"
#include "analysis/landscape/matched_maps.hpp"
#include "analysis/landscape/page_grid.hpp"
#include "analysis/landscape/poor_points.hpp"
#include "analysis/landscape/reference_point.hpp"
#include "analysis/landscape/views.hpp"
#include "analysis/run/data_reuse.hpp"
#include "analysis/run/errors_at.hpp"
#include "analysis/run/kept_page.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
#include "train/shard_folder.hpp"

namespace greybox {
namespace {

// Networks whose R is further from that of the matched data are not trained well enough for their own maps.
constexpr double kFarFromMatched = 0.5;

bool is_plane(const LandscapeOptions& options) {
  return !std::holds_alternative<std::monostate>(options.plane);
}

void check_combinations(const LandscapeOptions& options) {
  if (is_plane(options) && !options.vary.empty())
    refuse_option("plane", "a plane varies all parameters together", "leave out option `vary`");
  if (is_plane(options) && options.retrain > 0)
    refuse_option("retrain", "networks are retrained over parameters, not in a plane",
                  "leave out option `plane`");
  if (options.retrain > kMostRetrainings)
    refuse_option("retrain", fmt::format("{} trainings are more than {}", options.retrain, kMostRetrainings),
                  "a dozen give a good idea");
}

std::vector<ThetaGrid> grids_for(const OpenedRun& run, const WindowChoice& choice,
                                 const LandscapeOptions& options) {
  const Theta reference = reference_point(run, choice, options);
  if (is_plane(options)) return {make_view(run, choice, options, reference)};
  return make_grids(*run.loaded.spec, {options.vary, options.at, reference});
}

// Errors of each observed variable where a map is lowest.
void add_outputs(const OpenedRun& run, const WindowChoice& choice, const Execution& execution,
                 std::vector<LandscapeGrid>& grids) {
  ThreadPool pool(execution.n_threads);
  std::map<std::vector<double>, std::vector<OutputError>> known;  // maps often agree
  for (LandscapeGrid& grid : grids)
    for (LandscapeMap& map : grid.maps) {
      if (map.minima.empty()) continue;
      std::vector<double> theta;
      for (const ParameterSpec& parameter : run.loaded.spec->parameters) {
        const auto varied = map.minima[0].parameters.find(parameter.name);
        theta.push_back(varied != map.minima[0].parameters.end() ? varied->second
                                                                 : grid.held.at(parameter.name));
      }
      const auto [found, is_new] = known.try_emplace(theta);
      if (is_new) found->second = errors_at(run, choice.windows, theta, pool);
      map.outputs = found->second;
    }
}

void add_warnings(const OpenedRun& run, Landscape& landscape) {
  for (const LandscapeGrid& grid : landscape.grids)
    if (std::count(grid.is_poor.begin(), grid.is_poor.end(), std::uint8_t{1}) > 0)
      landscape.warnings.push_back(grid.adaptivity);
  for (const LandscapeGrid& grid : landscape.grids)
    for (const LandscapeMap& map : grid.maps)
      if (!map.matched.empty() && map.matched_difference > kFarFromMatched)
        landscape.warnings.push_back(
            fmt::format("{} of the network is {:.0f} % of its rise away from that of the correction that the "
                        "data ask for (the "
                        "median over the grid): the map is not to be read where they differ; {}",
                        map.name, 100 * map.matched_difference, run.adaptation_cure()));
  const auto has_diverged = [](const RetrainedPoint& point) { return std::isnan(point.retrained_rmse); };
  const auto n = std::count_if(landscape.retrained.begin(), landscape.retrained.end(), has_diverged);
  if (n > 0)
    landscape.warnings.push_back(
        fmt::format("{} of {} trainings at fixed θ diverged", n, landscape.retrained.size()));
}

// The account of what was looked at; a warning when it cannot be kept.
std::vector<std::string> record(const OpenedRun& run, const WindowChoice& choice) {
  std::vector<std::string> seen;
  for (const BoundRegularizer& regularizer : run.loaded.model->regularizers) seen.push_back(regularizer.name);
  return record_use(run, {"landscape", choice.name, "landscape of the regularizer", ""}, seen);
}

void append(std::vector<std::string>& warnings, const std::vector<std::string>& more) {
  warnings.insert(warnings.end(), more.begin(), more.end());
}

// Landscapes of the run's own data over parameters are what the report page can show.
bool is_for_page(const OpenedRun& run, const WindowChoice& choice, const LandscapeOptions& options) {
  return run.has_own_data && !is_plane(options) && choice.description.empty() &&
         !std::holds_alternative<Points>(options.on) && !run.handle.folder().empty();
}

void refuse_shard(const LandscapeOptions& options) {
  if (options.shard.is_whole()) return;
  refuse_option("shard", "a landscape needs the networks of all shards",
                "train them with `train_networks`, then ask for the landscape without a shard");
}

OpenedTarget open_for(const Run& handle, const LandscapeOptions& options) {
  return open_target(handle, {options.on, options.data, options.n_windows, "regularizers", options.seed},
                     options.regularizers, {Split::validation, Split::train});
}

std::vector<PlannedTraining> trainings_of(const OpenedRun& run, const std::vector<ThetaGrid>& grids,
                                          const LandscapeOptions& options) {
  std::vector<PlannedTraining> plan = seed_trainings(run, options.seeds);
  if (options.retrain == 0) return plan;
  for (PlannedTraining& training : retrainings(run, grids, options)) plan.push_back(std::move(training));
  return plan;
}

// Beside the regularizers, the means that the page computes others from: one pass serves both.
std::vector<GridScan> scan_for_page(const OpenedRun& run, const Networks& networks,
                                    const WindowChoice& choice, const std::vector<ThetaGrid>& grids,
                                    const LandscapeOptions& options) {
  const std::size_t n_shown = run.loaded.model->regularizers.size();
  if (!is_for_page(run, choice, options)) return scan_grids(run, networks, choice, grids, n_shown, options);
  const std::vector<std::string> terms = mean_terms(*run.loaded.spec, options.regularizers);
  std::vector<std::string> all = options.regularizers;
  all.insert(all.end(), terms.begin(), terms.end());
  const OpenedRun with_terms = open_run(run.handle, {{}, all});
  std::vector<GridScan> scans = scan_grids(with_terms, networks, choice, grids, n_shown, options);
  if (!is_first(options.execution)) return scans;
  Json page = Json::array();
  for (std::size_t g = 0; g < grids.size(); ++g) {
    page.push_back(page_grid(with_terms, networks, choice, grids[g], scans[g].values, terms));
    for (ThetaValues& of_network : scans[g].values) of_network.regularizers.resize(n_shown);
  }
  keep_page(run, PagePart::landscapes,
            {{choice.name, choice.windows.size(), networks.seeds, options.regularizers, options.at}, page});
  return scans;
}

// What a landscape is of.
struct LandscapeTarget {
  const OpenedRun& run;
  const Networks& networks;
  const WindowChoice& choice;
  bool has_outputs;
};

// What is left once the values are there.
Landscape landscape_of(const LandscapeTarget& of, const std::vector<ThetaGrid>& grids,
                       const std::vector<GridScan>& scans, const LandscapeOptions& options) {
  const auto& [run, networks, choice, has_outputs] = of;
  Landscape landscape;
  landscape.warnings = run.warnings;
  append(landscape.warnings, networks.warnings);
  for (std::size_t g = 0; g < grids.size(); ++g) {
    LandscapeGrid& grid =
        landscape.grids.emplace_back(make_landscape(run, networks, choice, grids[g], scans[g].values));
    grid.n_computed = scans[g].account.n_computed;
    grid.interpolation_error = scans[g].account.interpolation_error;
  }
  if (has_outputs) {
    add_matched(run, networks, choice, grids, options.execution, landscape.grids);
    for (std::size_t g = 0; g < grids.size(); ++g)
      explain_poor_points(run, choice, grids[g], options, landscape.grids[g]);
  }
  for (std::size_t g = 0; g < grids.size(); ++g) add_minima(run, grids[g], landscape.grids[g]);
  if (has_outputs) add_outputs(run, choice, options.execution, landscape.grids);
  if (options.retrain > 0) {
    landscape.retrained = compare_with_retraining(run, networks, choice, grids, options);
    landscape.retrained_summary = summarise(landscape.retrained);
  }
  add_warnings(run, landscape);
  append(landscape.warnings, record(run, choice));
  return landscape;
}

}  // namespace

TrainedNetworks train_networks(const Run& handle, const LandscapeOptions& options) {
  check_combinations(options);
  check_shard(options.shard);
  const auto [run, choice, has_outputs] = open_for(handle, options);
  const std::vector<ThetaGrid> grids = grids_for(run, choice, options);
  std::vector<PlannedTraining> plan, all = trainings_of(run, grids, options);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (options.shard.has(k)) plan.push_back(std::move(all[k]));
  const TrainingAccount account = train_missing(run, plan, options.execution);
  return {plan.size(), account.n_kept};
}

// Estimates are made on the test windows: what is looked at before should be others.
Landscape landscape(const Run& handle, const LandscapeOptions& options) {
  check_combinations(options);
  refuse_shard(options);
  if (!options.data) share_own_table(handle.state(), options.execution);
  const auto [run, choice, has_outputs] = open_for(handle, options);
  const std::vector<ThetaGrid> grids = grids_for(run, choice, options);
  // All at once, so that none waits for another.
  if (options.execution.communicator != nullptr)
    train_missing(run, trainings_of(run, grids, options), options.execution);
  const Networks networks = gather_networks(run, {options.seeds, options.with}, options.execution);
  LandscapeOptions alone = options;
  alone.execution.communicator = nullptr;
  // The scan is shared among processes whose sums are alike.
  const bool is_shared = have_like_processors(options.execution);
  if (!is_shared && !is_first(options.execution)) return {};
  const std::vector<GridScan> scans =
      scan_for_page(run, networks, choice, grids, is_shared ? options : alone);
  if (!is_first(options.execution)) return {};
  return landscape_of({run, networks, choice, has_outputs}, grids, scans, alone);
}

}  // namespace greybox
