// The toy example of section 3.4: five regularizers over amplitude and phase, and three ways to learn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/reproduce/reproduce_experiments.hpp"
#include "analysis/reproduce/reproduce_panels.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"
#include "greybox/example_models.hpp"

namespace greybox {
namespace {

constexpr std::size_t kEpochs = 2000, kNetworks = 5, kTrials = 20, kQuickTrials = 4;
constexpr double kValley = 0.05;  // of the median of R

// The places of minima move with the 40 inputs that are drawn: over seeds, by some 0.1 in both parameters.
// Distance of the minimum nearest to a place.
double distance_to(const LandscapeMap& map, double a, double c) {
  double nearest = kInfinity;
  for (const LandscapeMinimum& minimum : map.minima)
    nearest = std::min(nearest, std::hypot(minimum.theta[0] - a, minimum.theta[1] - c));
  return nearest;
}

void find_minima_of(Reproduction& work, const LandscapeGrid& seen) {
  const auto count = [&](const char* name) { return static_cast<double>(map_of(seen, name).minima.size()); };
  const LandscapeMap &norm = map_of(seen, "normD"), &centred = map_of(seen, "centred");
  work.find({"normD: minima", count("normD"), "1", 1, 1});
  work.find({"normD: lowest at a", norm.minima.front().theta[0], "1.4 (notebook); √2 in theory", 1.25, 1.55});
  work.find(
      {"normD: lowest at c", norm.minima.front().theta[1], "0.78 (notebook); π/4 in theory", 0.65, 0.95});
  const auto [corr_low, corr_high] = valley(seen, "corr", 0, kValley);
  work.find({"corr: length of its valley along a", corr_high - corr_low, "1.45: from 0 to 1.45", 1, 2});
  const auto [normdif_low, normdif_high] = valley(seen, "normdif", 1, kValley);
  work.find({"normdif: length of its valley along c", normdif_high - normdif_low, "", 1, 7});
  work.find({"corr + normdif: minima", count("both"), "2", 2, 2});
  work.find({"corr + normdif: a minimum this near to (0.9, 1.65)",
             distance_to(map_of(seen, "both"), 0.9, 1.65), "0", 0, 0.45});
  work.find({"corr + normdif: a minimum this near to (1.08, 0.12)",
             distance_to(map_of(seen, "both"), 1.08, 0.12), "0", 0, 0.45});
  work.find({"with c²: minima", count("centred"), "1", 1, 1});
  work.find({"with c²: lowest at a", centred.minima.front().theta[0], "1.06", 0.8, 1.3});
  work.find({"with c²: lowest at c", centred.minima.front().theta[1], "0.10", -0.2, 0.4});
}

void show_landscapes(Reproduction& work, const Run& run, std::size_t n_networks) {
  LandscapeOptions request;
  request.on = Splits{{Split::test}};
  request.seeds = n_networks;
  const LandscapeGrid seen = work.map_and_judge(run, "test", "the test inputs", request).front();
  find_minima_of(work, seen);
  const auto [low, high] = range_of(seen.rmse);
  work.find({"test RMSE over all θ: median", median_of(seen.rmse), "0.111 to 0.132", 0.08, 0.15});
  work.find({"test RMSE over all θ: highest over lowest", high / low, "1.2", 1, 2.5});
  PanelFigure figure{.title = "Toy: what five regularizers say of amplitude and phase (figures 2 and A.1)",
                     .notes = {fmt::format("On {} test inputs. Red: the lowest point; white: further minima.",
                                           seen.n_windows)},
                     .n_columns = 3,
                     .panels = {}};
  for (const char* name : {"normD", "corr", "normdif", "both", "centred"})
    figure.panels.push_back(panel_of(seen, name));
  figure.panels.push_back(rmse_panel(seen));
  work.show("figure-2-landscapes", std::move(figure));
}

}  // namespace

void reproduce_toy(Reproduction& work) {
  const std::size_t epochs = work.epochs(kEpochs, kEpochs), trials = work.trials(kTrials, kQuickTrials),
                    networks = work.networks(kNetworks, kNetworks);
  work.set_settings(
      fmt::format("{} of {} epochs; {}", networks_text(networks), epochs, trials_text(trials, epochs)));
  work.prepare(example_model("toy"));
  CompareOptions comparison;
  comparison.trials = trials;
  comparison.epochs = epochs;
  if (!work.begin_comparison(comparison)) return;
  TrainOptions learning;
  learning.lambda = 0;
  learning.epochs = epochs;
  const Run run = work.learn(learning);
  work.find({"training L, λ = 0", run.record()->loss, "0.008 (notebook)", 0.004, 0.016});
  show_landscapes(work, run, networks);
  if (trials == 0) return;
  const Comparison compared = work.compare_modes(comparison);
  find_in_comparison(work, compared);
  work.show("figure-3-comparison", compared);
}

}  // namespace greybox
