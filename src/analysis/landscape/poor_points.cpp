#include "analysis/landscape/poor_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/landscape/adaptivity.hpp"
#include "core/stage_progress.hpp"
#include "model/observed_range.hpp"
#include "model/theta.hpp"
#include "train/settings.hpp"
#include "train/short_refit.hpp"
#include "train/training.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> poor_places(const LandscapeGrid& landscape) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < landscape.is_poor.size(); ++i)
    if (landscape.is_poor[i] != 0) places.push_back(i);
  return places;
}

// Where each regularizer would be lowest first, then evenly among the others.
std::vector<std::size_t> chosen_places(const LandscapeGrid& landscape, const std::vector<std::size_t>& poor,
                                       std::size_t n) {
  std::vector<std::size_t> chosen;
  const auto add = [&](std::size_t place) {
    if (chosen.size() < n && std::find(chosen.begin(), chosen.end(), place) == chosen.end())
      chosen.push_back(place);
  };
  for (const LandscapeMap& map : landscape.maps)
    add(*std::min_element(poor.begin(), poor.end(), [&](std::size_t a, std::size_t b) {
      return map.values[a] < map.values[b] || (std::isnan(map.values[b]) && !std::isnan(map.values[a]));
    }));
  for (std::size_t k = 0; k < n; ++k) add(poor[k * (poor.size() - 1) / std::max<std::size_t>(n - 1, 1)]);
  return chosen;
}

std::vector<double> losses_of(std::vector<double> rmse, double unit) {
  for (double& value : rmse) value = value * value / (unit * unit);
  return rmse;
}

// As the run was trained.
TrainerOptions trainer_of(const OpenedRun& run) {
  return resolve_options(inherited({}, *run.record), *run.loaded.spec, nullptr);
}

void refit_poor_points(const OpenedRun& run, const WindowChoice& choice, const ThetaGrid& grid,
                       const LandscapeOptions& options, LandscapeGrid& landscape) {
  const StageProgress progress(options.execution, "landscape", "short refits");
  const std::vector<std::size_t> places = chosen_places(landscape, poor_places(landscape), options.refits);
  const TrainerOptions trainer = trainer_of(run);
  const double unit = error_unit(*run.loaded.spec);
  const double limit = audit_limit(losses_of(landscape.rmse, unit), run.loss_limit());
  ThreadPool pool(options.execution.n_threads);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::vector<double> theta = grid.theta_at(places[k]);
    const std::vector<double> weights =
        short_refit(run.trained, {trainer, run.weights, theta, options.execution.cancel}, pool);
    progress.show(k + 1, places.size());
    RefittedPoint point{grid.point(places[k]), theta_by_name(*run.loaded.spec, theta),
                        landscape.rmse[places[k]], std::nan(""), false};
    if (!weights.empty()) {
      const double loss = scan_theta(run, {{weights}, {0}}, choice, theta, options)[0].losses[0];
      point.refitted_rmse = unit * std::sqrt(loss);
      point.fits = loss <= limit;
    }
    landscape.refits.push_back(std::move(point));
  }
}

std::string sentence_of(const LandscapeGrid& landscape, const OpenedRun& run) {
  const std::string not_adapted =
      fmt::format("the network has not adapted there; {}, or narrow the prior if such θ cannot be",
                  run.adaptation_cure());
  const auto n_poor = std::count(landscape.is_poor.begin(), landscape.is_poor.end(), std::uint8_t{1});
  if (!landscape.is_excluded.empty()) {
    std::size_t n_excluded = 0;
    for (std::size_t i = 0; i < landscape.is_poor.size(); ++i)
      n_excluded += landscape.is_poor[i] != 0 && landscape.is_excluded[i] != 0;
    if (n_excluded == 0) return fmt::format("the data exclude none of them: {}", not_adapted);
    if (n_excluded == static_cast<std::size_t>(n_poor)) return "the data exclude them, whatever the network";
    return fmt::format(
        "the data exclude {:.0f} % of them whatever the network; to the others it has not adapted",
        100 * static_cast<double>(n_excluded) / static_cast<double>(n_poor));
  }
  if (landscape.refits.empty()) return "";
  const auto n_fitting = std::count_if(landscape.refits.begin(), landscape.refits.end(),
                                       [](const RefittedPoint& point) { return point.fits; });
  const std::size_t n = landscape.refits.size();
  if (n_fitting == 0)
    return fmt::format(
        "learning longer at {} of them alone does not make them fit: the data exclude them, or the network "
        "is too small",
        n);
  return fmt::format("learning longer at one of them alone makes {} of {} fit: {}", n_fitting, n,
                     not_adapted);
}

}  // namespace

void explain_poor_points(const OpenedRun& run, const WindowChoice& choice, const ThetaGrid& grid,
                         const LandscapeOptions& options, LandscapeGrid& landscape) {
  if (poor_places(landscape).empty()) return;
  const bool may_refit = run.record && run.record->options.mode == TrainMode::adaptive && run.has_own_data;
  if (landscape.is_excluded.empty() && options.refits > 0 && may_refit)
    refit_poor_points(run, choice, grid, options, landscape);
  if (const std::string why = sentence_of(landscape, run); !why.empty()) landscape.adaptivity += "; " + why;
}

}  // namespace greybox
