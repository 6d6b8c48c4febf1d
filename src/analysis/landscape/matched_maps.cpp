#include "analysis/landscape/matched_maps.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "analysis/landscape/bands.hpp"
#include "analysis/matching/matched_sources.hpp"
#include "analysis/theta/theta_box.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

// A network that does not see everything makes each θ dear.
constexpr std::size_t kMostProjectedThetas = 2000;

constexpr std::size_t kResampledMaps = 32;
// Of a normal distribution: 97.5 % and 95 %.
constexpr double kBandQuantile = 1.96, kExcludedQuantile = 1.645;

class MapMatcher {
 public:
  MapMatcher(const OpenedRun& run, const MatchedSources& sources, ThreadPool& pool,
             const Execution& execution)
      : box_(run.loaded.spec->parameters),
        resampling_(resample(run.loaded.data->windows(), sources.points.windows, kResampledMaps, run.seed())),
        pool_(pool),
        execution_(execution) {
    for (std::size_t t = 0; t < pool.n_threads(); ++t)
      models_.push_back(std::make_unique<MatchedModel>(run.loaded, sources.points, sources.sources[0].data,
                                                       sources.sources[0].projections, box_.middle()));
  }

  // NaN outside the bounds.
  void match(const ThetaGrid& grid, LandscapeGrid& landscape) {
    const std::vector<std::size_t> places = grid.places_within(box_);
    const std::size_t n_points = landscape.is_poor.size();
    for (LandscapeMap& map : landscape.maps)
      map.matched = map.low = map.high = std::vector<double>(n_points, kNaN);
    std::vector<std::vector<double>> misfits(n_points);
    const StageProgress progress(execution_, "landscape", "θ matched to the data");
    std::atomic<std::size_t> next = 0;
    pool_.run(pool_.n_threads(), [&](std::size_t thread) {
      for (std::size_t i = next++; i < places.size() && !execution_.is_cancelled(); i = next++) {
        models_[thread]->evaluate(grid.theta_at(places[i]));
        const std::vector<std::vector<double>> resampled = models_[thread]->resampled(resampling_);
        for (std::size_t r = 0; r < landscape.maps.size(); ++r)
          set_values(landscape.maps[r], places[i], models_[thread]->value(r), resampled[r]);
        misfits[places[i]] = resampled.back();
        misfits[places[i]].push_back(models_[thread]->value(landscape.maps.size()));
      }
    });
    progress.show(places.size(), places.size());
    landscape.is_excluded = excluded(misfits);
    for (LandscapeMap& map : landscape.maps) map.matched_difference = difference(map, landscape.is_excluded);
  }

 private:
  static void set_values(LandscapeMap& map, std::size_t place, double matched,
                         const std::vector<double>& resampled) {
    const double half = kBandQuantile * spread_over_sets(resampled);
    const std::size_t n = map.band.networks.size();
    const double of_networks = n > 1 ? prediction_factor(n) * map.band.spread[place] : 0;
    map.matched[place] = matched;
    map.low[place] = std::fmin(matched - half, map.values[place] - of_networks);
    map.high[place] = std::fmax(matched + half, map.values[place] + of_networks);
  }

  // `misfits`: on resampled windows, then on the windows themselves; empty outside the bounds.
  static std::vector<std::uint8_t> excluded(const std::vector<std::vector<double>>& misfits) {
    const std::vector<double>* best = nullptr;
    for (const std::vector<double>& one : misfits)
      if (!one.empty() && (best == nullptr || one.back() < best->back())) best = &one;
    std::vector<std::uint8_t> flags;
    for (const std::vector<double>& one : misfits) {
      if (one.empty()) {
        flags.push_back(0);
        continue;
      }
      const double by_chance = kExcludedQuantile * spread_over_sets(one, *best);
      flags.push_back(!(one.back() - best->back() <= allowed_excess(best->back(), by_chance)));
    }
    return flags;
  }

  // Median over θ that the data do not exclude, without what is common to all of them, as a part of the rise
  // of the matched values.
  static double difference(const LandscapeMap& map, const std::vector<std::uint8_t>& is_excluded) {
    std::vector<double> apart, matched;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < map.values.size(); ++i) {
      if (is_excluded[i] != 0) continue;
      apart.push_back(map.values[i] - map.matched[i]);
      matched.push_back(map.matched[i]);
      lowest = std::fmin(lowest, map.matched[i]);
    }
    const double common = median_of(apart);
    for (double& one : apart) one = std::abs(one - common);
    const double rise = median_of(std::move(matched)) - lowest;
    return rise > 0 ? median_of(apart) / rise : kNaN;
  }

  ThetaBox box_;
  Resampling resampling_;
  ThreadPool& pool_;
  const Execution& execution_;
  std::vector<std::unique_ptr<MatchedModel>> models_;
};

}  // namespace

void add_matched(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                 const std::vector<ThetaGrid>& grids, const Execution& execution,
                 std::vector<LandscapeGrid>& landscapes) {
  std::size_t n_thetas = 0;
  for (const ThetaGrid& grid : grids) n_thetas += grid.size();
  if (needs_projection(*run.loaded.model) && n_thetas > kMostProjectedThetas) return;
  ThreadPool pool(execution.n_threads);
  const Networks own{{networks.weights[0]}, {networks.seeds[0]}, {}};
  const MatchedSources sources = make_sources(run, own, choice, pool);
  if (!sources.obstacle.empty()) return;
  MapMatcher matcher(run, sources, pool, execution);
  for (std::size_t g = 0; g < grids.size(); ++g) matcher.match(grids[g], landscapes[g]);
}

}  // namespace greybox
