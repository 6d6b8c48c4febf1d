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
#include "data/independent_windows.hpp"

namespace greybox {
namespace {

// A network that does not see everything makes each θ dear, and so do hidden states.
constexpr std::size_t kMostProjectedThetas = 2000, kMostHiddenThetas = 2000;

constexpr std::size_t kResampledMaps = 32;
// Of a normal distribution: 95 %.
constexpr double kExcludedQuantile = 1.645;

class MapMatcher {
 public:
  // `has_bands`: from all sources; else, or where the windows are too few to be judged by, the first alone is
  // matched, and maps get no bands.
  MapMatcher(const OpenedRun& run, const MatchedSources& sources, bool has_bands, ThreadPool& pool,
             const Execution& execution)
      : box_(run.loaded.spec->parameters),
        resampling_(resample(run.loaded.data->windows(), sources.points.windows, kResampledMaps, run.seed())),
        band_factor_(bootstrap_factor(n_units(run, sources))),
        has_bands_(has_bands && n_units(run, sources) >= kFewestUnits),
        pool_(pool),
        execution_(execution),
        models_(pool.n_threads()) {
    for (std::vector<std::unique_ptr<MatchedModel>>& of_thread : models_)
      for (std::size_t s = 0; s < (has_bands_ ? sources.sources.size() : 1); ++s)
        of_thread.push_back(std::make_unique<MatchedModel>(run.loaded, sources.points,
                                                           sources.sources[s].data,
                                                           sources.sources[s].projections, box_.middle()));
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
        misfits[places[i]] = match_one(thread, grid.theta_at(places[i]), places[i], landscape.maps);
        if (thread == 0) progress.report(i + 1, places.size());
      }
    });
    progress.show(places.size(), places.size());
    landscape.is_excluded = excluded(misfits);
    for (LandscapeMap& map : landscape.maps) map.matched_difference = difference(map, landscape.is_excluded);
  }

 private:
  static std::size_t n_units(const OpenedRun& run, const MatchedSources& sources) {
    return count_independent(run.loaded.data->windows().windows, sources.points.windows);
  }

  // The misfits on resampled windows, then on the windows themselves.
  std::vector<double> match_one(std::size_t thread, const std::vector<double>& theta, std::size_t place,
                                std::vector<LandscapeMap>& maps) {
    std::vector<double> misfits;
    for (const std::unique_ptr<MatchedModel>& model : models_[thread]) {
      model->evaluate(theta);
      const std::vector<std::vector<double>> resampled = model->resampled(resampling_);
      const bool is_first = misfits.empty();
      for (std::size_t r = 0; r < maps.size(); ++r) {
        if (is_first) maps[r].matched[place] = model->value(r);
        if (is_first && has_bands_) add_networks(maps[r], place);
        if (has_bands_) widen(maps[r], place, model->value(r), band_factor_ * spread_over_sets(resampled[r]));
      }
      if (!is_first) continue;
      misfits = resampled.back();
      misfits.push_back(model->value(maps.size()));
    }
    return misfits;
  }

  static void add_networks(LandscapeMap& map, std::size_t place) {
    const std::size_t n = map.band.networks.size();
    widen(map, place, map.values[place], n > 1 ? prediction_factor(n) * map.band.spread[place] : 0);
  }

  static void widen(LandscapeMap& map, std::size_t place, double value, double half) {
    map.low[place] = std::fmin(map.low[place], value - half);
    map.high[place] = std::fmax(map.high[place], value + half);
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
  double band_factor_;
  bool has_bands_;
  ThreadPool& pool_;
  const Execution& execution_;
  // [thread][source]
  std::vector<std::vector<std::unique_ptr<MatchedModel>>> models_;
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
  MatchedSources sources = make_sources(run, own, choice, pool);
  if (!sources.obstacle.empty()) return;
  add_opposite_starts(sources);
  const bool has_hidden = !sources.sources[0].data.hidden.empty();
  MapMatcher matcher(run, sources, !has_hidden || n_thetas <= kMostHiddenThetas, pool, execution);
  for (std::size_t g = 0; g < grids.size(); ++g) matcher.match(grids[g], landscapes[g]);
}

}  // namespace greybox
