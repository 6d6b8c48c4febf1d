// The controlled pendulum of section 5: gravity beside a controller that nobody knows.
#include <fmt/format.h>

#include <cmath>

#include "analysis/reproduce/reproduce_experiments.hpp"
#include "analysis/reproduce/reproduce_panels.hpp"
#include "core/median.hpp"
#include "greybox/example_models.hpp"

namespace greybox {
namespace {

constexpr double kGravity = 10;   // of the simulator that the data come from
constexpr double kLambda = 1e-2;  // as in the authors' code, with R = corr

// Of the paper, and of the quick form.
struct PendulumPlan {
  std::size_t epochs, networks, points, trials, compared_epochs, compared_points;
};
constexpr PendulumPlan kFullPendulum{500, 5, 400, 20, 500, 400}, kQuickPendulum{100, 3, 81, 1, 10, 41};

// Between the lowest points of the two regularizers, on average over the networks: where each network has
// them at different places, the mean of all networks may have them at the same.
double distance_between(const LandscapeGrid& seen) {
  const LandscapeMap &norm = map_of(seen, "normD"), &corr = map_of(seen, "corr");
  const std::size_t n = norm.network_minima.size();
  if (n == 0) return std::abs(norm.minima.front().theta[0] - corr.minima.front().theta[0]);
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k)
    sum += std::abs(norm.network_minima[k].front().theta[0] - corr.network_minima[k].front().theta[0]);
  return sum / static_cast<double>(n);
}

void show_landscape(Reproduction& work, const Run& run, const PendulumPlan& plan) {
  LandscapeOptions request;
  request.on = Splits{{Split::test}};
  request.vary = {{"g", {}, {}, plan.points}};
  request.seeds = plan.networks;
  request.single_precision = true;
  const LandscapeGrid seen = work.map_and_judge(run, "test", "the test windows", request).front();
  const double norm_at = map_of(seen, "normD").minima.front().theta[0];
  const double corr_at = map_of(seen, "corr").minima.front().theta[0];
  const auto [low, high] = range_of(seen.nrmse);
  work.find({"corr: lowest at g", corr_at, "10.3 (code), 9.95 (notebook); the truth is 10", 9.7, 10.6},
            kNeedsData);
  work.find({"normD: lowest at g", norm_at, "11.0 (code), 10.1 (notebook)"});
  for (const char* regularizer : {"corr", "normD"}) find_spread(work, seen, regularizer, 0);
  work.find({"distance between the two, in one network", distance_between(seen),
             "0.7 (code), 0.15 (notebook): slightly different", 0.03, 1.5});
  work.find({"normD: lowest value", map_of(seen, "normD").minima.front().value, "9.14 (code)", 6, 12},
            kNeedsData);
  const double rmse = median_of(seen.rmse);
  work.find({"test L over all g: median", rmse * rmse, "1.28e-2 (code)", 0, 2.6e-2}, kNeedsBoth);
  work.find({"test NRMSE over all g, per cent: lowest", 100 * low, "0.65 (code), 0.21 (notebook)", 0, 1.3},
            kNeedsBoth);
  work.find({"test NRMSE over all g, per cent: highest", 100 * high, "0.87 (code), 0.30 (notebook)", 0, 1.75},
            kNeedsBoth);
  work.find({"test NRMSE over all g: highest over lowest", high / low, "1.3 to 1.4: predicts well at any g",
             1, 1.6},
            {.published_data = false, .full_length = true});
  work.show(
      "figure-4-landscapes",
      PanelFigure{.title = "Pendulum: two regularizers and the error of the predictions (figure 4)",
                  .notes = {fmt::format(
                      "On {} test windows. Dashed: gravity of the simulator, which no one knows in practice.",
                      seen.n_windows)},
                  .n_columns = 3,
                  .panels = {panel_of(seen, "normD", {kGravity}), panel_of(seen, "corr", {kGravity}),
                             nrmse_panel(seen, {kGravity})}});
}

}  // namespace

void reproduce_pendulum(Reproduction& work) {
  PendulumPlan plan = work.full_or_quick(kFullPendulum, kQuickPendulum);
  plan.epochs = work.epochs(kFullPendulum.epochs, kQuickPendulum.epochs);
  plan.compared_epochs = work.epochs(kFullPendulum.compared_epochs, kQuickPendulum.compared_epochs);
  plan.networks = work.networks(kFullPendulum.networks, kQuickPendulum.networks);
  plan.trials = work.trials(kFullPendulum.trials, kQuickPendulum.trials);
  work.set_settings(fmt::format("{} of {} epochs; {}", networks_text(plan.networks), plan.epochs,
                                trials_text(plan.trials, plan.compared_epochs)));
  work.prepare(example_model("pendulum"));
  CompareOptions comparison;
  comparison.regularizer = "corr";
  comparison.trials = plan.trials;
  comparison.epochs = plan.compared_epochs;
  comparison.estimate = {
      .method = EstimateMethod::grid, .steps = plan.compared_points, .rate = {}, .on_test_alone = true};
  if (!work.begin_comparison(comparison)) return;
  TrainOptions learning;
  learning.regularizer = "corr";
  learning.lambda = kLambda;
  learning.epochs = plan.epochs;
  const Run run = work.learn(learning);
  work.find(
      {"training L, λ = 0.01, R = corr", run.record()->loss, "4.1e-3 (code), 1.1e-3 (notebook)", 0, 8e-3},
      kNeedsBoth);
  show_landscape(work, run, plan);
  if (plan.trials == 0) return;
  const Comparison compared = work.compare_modes(comparison);
  find_in_comparison(work, compared);
  work.show("figure-6-comparison", compared);
}

}  // namespace greybox
