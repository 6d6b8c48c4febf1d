// The reaction–diffusion system of section 5: diffusion coefficients when the reaction is unknown.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/reproduce/reproduce_experiments.hpp"
#include "analysis/reproduce/reproduce_panels.hpp"
#include "analysis/reproduce/reproduce_prediction.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"
#include "greybox/example_models.hpp"

namespace greybox {
namespace {

const std::vector<double> kTruth = {0.0015, 0.005};  // of the generator
constexpr std::size_t kGrid = 32, kSequences = 1000;

// Of the paper, and of the quick form. A comparison at the paper's length would take weeks: it has fewer
// epochs; and of the test set a landscape shows some.
struct FieldPlan {
  std::size_t grid, sequences, epochs, networks, batch, points, shown, trials, compared_epochs, steps;
};
constexpr FieldPlan kFullFields{kGrid, kSequences, 1000, 1, 20, 31, 60, 3, 60, 100},
    kQuickFields{10, 60, 300, 1, 4, 15, 60, 1, 40, 30};

FieldPlan plan_of(const Reproduction& work) {
  FieldPlan plan = work.full_or_quick(kFullFields, kQuickFields);
  const ReproduceOptions& options = work.options();
  if (options.grid > 0) plan.grid = options.grid;
  if (options.size > 0) plan.sequences = options.size;
  plan.epochs = work.epochs(kFullFields.epochs, kQuickFields.epochs);
  plan.compared_epochs = std::min(plan.epochs, plan.compared_epochs);
  plan.networks = work.networks(kFullFields.networks, kQuickFields.networks);
  plan.trials = work.trials(kFullFields.trials, kQuickFields.trials);
  return plan;
}

std::string model_for(const FieldPlan& plan) {
  const std::string side = fmt::format("{}", plan.grid);
  std::string text(example_model("reaction-diffusion"));
  text = with_setting(std::move(text), "grid", "height", side);
  text = with_setting(std::move(text), "grid", "width", side);
  text = with_setting(std::move(text), "grid", "spacing", fmt::format("\"2/{}\"", plan.grid - 1));
  return with_setting(std::move(text), "train", "batch", fmt::format("{}", plan.batch));
}

// In parts of the box of the parameters.
double distance_from_truth(const LandscapeGrid& seen, const LandscapeMinimum& minimum) {
  double squares = 0;
  for (std::size_t k = 0; k < kTruth.size(); ++k) {
    const std::vector<double>& axis = seen.axes[k].values;
    squares += std::pow((minimum.theta[k] - kTruth[k]) / (axis.back() - axis.front()), 2);
  }
  return std::sqrt(squares);
}

// Where R is lowest along b, at the generator's a.
double lowest_b(const LandscapeGrid& seen, const std::string& regularizer) {
  const std::vector<double>&a = seen.axes[0].values, &b = seen.axes[1].values;
  const auto nearest = std::ranges::min_element(a, {}, [](double at) { return std::abs(at - kTruth[0]); });
  const auto row = map_of(seen, regularizer).values.begin() + (nearest - a.begin()) * std::ssize(b);
  return b[static_cast<std::size_t>(std::min_element(row, row + std::ssize(b)) - row)];
}

void find_truth(Reproduction& work, const LandscapeGrid& seen, const std::string& where) {
  double nearest = kInfinity;
  for (const LandscapeMinimum& minimum : map_of(seen, "product").minima)
    nearest = std::min(nearest, distance_from_truth(seen, minimum));
  work.find({fmt::format("normD · corr, {}: a minimum this far from the truth", where), nearest,
             "0: one of three minima is there", 0, 0.1},
            kNeedsLength);
  work.find({fmt::format("normD · corr, {}: lowest along b at the true a", where), lowest_b(seen, "product"),
             "0.005: a minimum is there, and it is the truth", 0.0045, 0.0055},
            kNeedsLength);
  const LandscapeMinimum& norm = map_of(seen, "normD").minima.front();
  work.find({fmt::format("normD, {}: lowest this far from the truth", where), distance_from_truth(seen, norm),
             "0.5: at a = 0.001, b = 0.0055", 0.1, kInfinity},
            kNeedsLength);
  work.find({fmt::format("normD, {}: lowest at a", where), norm.theta[0], "0.001, the bound (notebook)"});
  work.find({fmt::format("normD, {}: lowest at b", where), norm.theta[1], "0.0055 (notebook)"});
}

LandscapeGrid show_landscapes(Reproduction& work, const Run& run, const FieldPlan& plan,
                              std::size_t n_windows, const std::string& where, const std::string& figure) {
  LandscapeOptions request;
  request.on = Splits{{Split::test}};
  request.n_windows = n_windows;
  request.vary = {{"a", {}, {}, plan.points}, {"b", {}, {}, plan.points}};
  request.seeds = plan.networks;
  request.single_precision = true;
  const LandscapeGrid seen = work.map(run, figure, request).front();
  find_truth(work, seen, where);
  const auto [low, high] = range_of(seen.rmse);
  work.find(
      {fmt::format("RMSE, {}: median over all θ", where), median_of(seen.rmse), "0.010 (notebook)", 0, 0.02},
      kNeedsLength);
  work.find({fmt::format("RMSE, {}: highest over lowest", where), high / low, "about 1: flat", 1, 1.5},
            kNeedsLength);
  PanelFigure picture{.title = fmt::format("Reaction–diffusion: regularizers on {} (figure 5)", where),
                      .notes = {fmt::format(
                          "On {} test sequence{}. Cross: the coefficients of the generator. Red: the lowest "
                          "point; white: further minima.",
                          seen.n_windows, seen.n_windows == 1 ? "" : "s")},
                      .n_columns = 3,
                      .panels = {}};
  for (const char* name : {"normD", "corr", "sum", "product"})
    picture.panels.push_back(panel_of(seen, name, kTruth));
  picture.panels.push_back(rmse_panel(seen, kTruth));
  work.show(figure, std::move(picture));
  return seen;
}

// One variable of one test sequence at three times: as observed, as predicted, and the difference.
std::vector<FieldRow> rows_of(const PredictedWindows& predicted, const std::string& name) {
  FieldRow fields{.title = name, .images = {}},
      differences{.title = name + ", error", .images = {}, .is_signed = true};
  const std::size_t n_times = predicted.prediction.n_steps;
  for (std::size_t k : {n_times / 3 - 1, 2 * n_times / 3 - 1, n_times - 1}) {
    const std::vector<double> truth = predicted.observed_field(name, 0, k),
                              ours = predicted.predicted_field(name, 0, k);
    std::vector<double> difference;
    for (std::size_t i = 0; i < truth.size(); ++i) difference.push_back(ours[i] - truth[i]);
    const std::string time = fmt::format("t = {:.1f}", predicted.time(0, k));
    fields.images.push_back({time + ", observed", truth});
    fields.images.push_back({time + ", predicted", ours});
    differences.images.push_back({time + ", difference", difference});
  }
  return {fields, differences};
}

void show_fields(Reproduction& work, const Run& run, const FieldPlan& plan, const LandscapeGrid& seen) {
  const LandscapeMinimum& chosen = map_of(seen, "product").minima.front();
  const PredictedWindows predicted = predict_windows(
      run, [](const PreparedData& data) { return std::vector{data.of_split(Split::test).front()}; },
      chosen.theta, work.options().execution.n_threads);
  work.find({"the sequence shown as fields: RMSE", std::sqrt(predicted.prediction.mse), "0.010 (notebook)", 0,
             0.02},
            kNeedsLength);
  FieldFigure figure{
      .title = "Reaction–diffusion: a test sequence",
      .notes = {fmt::format("At a = {:.3g}, b = {:.3g}, where normD · corr is lowest on the test set.",
                            chosen.theta[0], chosen.theta[1])},
      .width = plan.grid,
      .rows = rows_of(predicted, "u")};
  for (FieldRow& row : rows_of(predicted, "v")) figure.rows.push_back(std::move(row));
  work.show("fields", std::move(figure));
}

}  // namespace

void reproduce_reaction_diffusion(Reproduction& work) {
  const FieldPlan plan = plan_of(work);
  work.set_settings(fmt::format("{0} sequences on {1} × {1} points, {2} of {3} epochs; {4}", plan.sequences,
                                plan.grid, networks_text(plan.networks), plan.epochs,
                                trials_text(plan.trials, plan.compared_epochs)));
  DataOptions data;
  data.grid = plan.grid;
  data.size = plan.sequences;
  work.prepare(model_for(plan), data);
  CompareOptions comparison;
  comparison.lambdas = {1e-7, 1e-6, 1e-5, 1e-4};
  comparison.trials = plan.trials;
  comparison.epochs = plan.compared_epochs;
  comparison.estimate = {.method = EstimateMethod::adam, .steps = plan.steps, .rate = {3e-4, 3e-6}};
  if (!work.begin_comparison(comparison)) return;
  TrainOptions learning;
  learning.epochs = plan.epochs;
  const Run run = work.learn(learning);
  work.find({"training L", run.record()->loss, "3.3e-5 (notebook)", 0, 2e-4}, kNeedsLength);
  show_landscapes(work, run, plan, 1, "one test sequence", "figure-5-one-sequence");
  const LandscapeGrid seen =
      show_landscapes(work, run, plan, plan.shown, "the test set", "figure-5-test-set");
  show_fields(work, run, plan, seen);
  if (plan.trials == 0) return;
  const Comparison compared = work.compare_modes(comparison);
  find_in_comparison(work, compared, /*is_logarithm=*/true);
  work.show("figure-7-comparison", compared);
}

}  // namespace greybox
