#include "analysis/landscape/matched_maps.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>

#include "analysis/matching/matched_sources.hpp"
#include "analysis/theta/theta_box.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

// A network that does not see everything makes each θ dear.
constexpr std::size_t kMostProjectedThetas = 2000;

class MapMatcher {
 public:
  MapMatcher(const OpenedRun& run, const MatchedSources& sources, ThreadPool& pool,
             const Execution& execution)
      : box_(run.loaded.spec->parameters), pool_(pool), execution_(execution) {
    for (std::size_t t = 0; t < pool.n_threads(); ++t)
      models_.push_back(std::make_unique<MatchedModel>(run.loaded, sources.points, sources.sources[0].data,
                                                       sources.sources[0].projections, box_.middle()));
  }

  // NaN outside the bounds.
  void match(const ThetaGrid& grid, LandscapeGrid& landscape) {
    const std::vector<std::size_t> places = grid.places_within(box_);
    for (LandscapeMap& map : landscape.maps) map.matched.assign(map.values.size(), kNaN);
    const StageProgress progress(execution_, "landscape", "θ matched to the data");
    std::atomic<std::size_t> next = 0;
    pool_.run(pool_.n_threads(), [&](std::size_t thread) {
      for (std::size_t i = next++; i < places.size() && !execution_.is_cancelled(); i = next++) {
        models_[thread]->evaluate(grid.theta_at(places[i]));
        for (std::size_t r = 0; r < landscape.maps.size(); ++r)
          landscape.maps[r].matched[places[i]] = models_[thread]->value(r);
      }
    });
    progress.show(places.size(), places.size());
    for (LandscapeMap& map : landscape.maps) map.matched_difference = difference(map);
  }

 private:
  // Median over the grid, without what is common to all of it, as a part of the rise of the matched values.
  static double difference(const LandscapeMap& map) {
    std::vector<double> apart;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < map.values.size(); ++i) {
      apart.push_back(map.values[i] - map.matched[i]);
      lowest = std::fmin(lowest, map.matched[i]);
    }
    const double common = median_of(apart);
    for (double& one : apart) one = std::abs(one - common);
    const double rise = median_of(map.matched) - lowest;
    return rise > 0 ? median_of(apart) / rise : kNaN;
  }

  ThetaBox box_;
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
  if (has_constrained_network(*run.loaded.model) && n_thetas > kMostProjectedThetas) return;
  ThreadPool pool(execution.n_threads);
  const Networks own{{networks.weights[0]}, {networks.seeds[0]}, {}};
  const MatchedSources sources = make_sources(run, own, choice, pool);
  if (!sources.obstacle.empty()) return;
  MapMatcher matcher(run, sources, pool, execution);
  for (std::size_t g = 0; g < grids.size(); ++g) matcher.match(grids[g], landscapes[g]);
}

}  // namespace greybox
