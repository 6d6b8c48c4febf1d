// The plankton of section 5: four rates window by window, from an encoder that minimises R (equation 6).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <stdexcept>

#include "analysis/reproduce/reproduce_experiments.hpp"
#include "analysis/reproduce/reproduce_panels.hpp"
#include "analysis/reproduce/reproduce_sliding.hpp"
#include "core/limits.hpp"
#include "greybox/estimate.hpp"
#include "greybox/example_models.hpp"
#include "train/run_record.hpp"

namespace greybox {
namespace {

constexpr const char *kHeldOut = "C7", *kShown = "C8";  // the paper says C7 and shows C8, a training series
const WindowAt kShownWindow{"C8", 65};                  // where the paper looks at R
constexpr double kEncoderRate = 1e-4;
constexpr std::array kParameters = {"alpha", "beta", "gamma", "delta"};

// Of the paper, and of the quick form.
struct PlanktonPlan {
  std::size_t epochs, networks, encoder_epochs, points, judged_windows;  // 0: all
};
constexpr PlanktonPlan kFullPlankton{1000, 5, 50, 41, 0}, kQuickPlankton{120, 3, 10, 21, 30};

// The run with the trained encoder of θ.
Run learn_encoder(Reproduction& work, const Run& run, const PlanktonPlan& plan) {
  std::filesystem::path folder = run.folder();
  folder += "-amortised";
  if (has_record(folder) && read_record(folder).is_finished()) return Run::open(folder);
  work.begin("encoder of θ", "epochs");
  EstimateOptions request;
  request.regularizer = "normD";
  request.amortised = true;
  request.epochs = plan.encoder_epochs;
  request.rate = std::pair{kEncoderRate, kEncoderRate};
  request.on = Splits{{Split::test}};
  request.seed = work.options().seed;
  request.execution = work.options().execution;
  const Estimate estimated = estimate(run, request);
  if (estimated.trained->outcome() == TrainOutcome::diverged) throw std::runtime_error(estimated.note);
  work.warn(estimated.warnings);
  return *estimated.trained;
}

// As the authors do: of the test windows, those of series that training knows.
std::vector<std::size_t> known_test_windows(const PreparedData& data) {
  std::vector<std::size_t> windows = data.of_split(Split::test);
  std::erase_if(windows, [&](std::size_t w) {
    return data.table().series[data.windows().windows[w].series].name == kHeldOut;
  });
  return windows;
}

void find_on_test(Reproduction& work, const Run& run) {
  const Prediction prediction =
      predict_windows(run, known_test_windows, {}, work.options().execution.n_threads).prediction;
  work.find({"test L", prediction.mse, "4.3e-3 (code)", 0, 9e-3}, kNeedsBoth);
  for (const auto& [name, value] : prediction.regularizers)
    if (name == "normD")
      work.find({"test R = normD at the encoder's θ", value, "0.23 (code)", 0.1, 0.5}, kNeedsBoth);
}

SeriesRow row_of(const std::string& title, const std::vector<double>& values) {
  return {title, {{"", values}}};
}

void show_series(Reproduction& work, const Run& run, const std::string& series, const std::string& about) {
  const SlidingAverages slid = slide_over(run, series, work.options().execution.n_threads);
  SeriesFigure figure{.title = fmt::format("Predator–prey: series {}, {} (figure 8, left)", series, about),
                      .x_label = "day",
                      .notes = {"Windows of 11 days, averaged where they overlap; θ from the encoder."},
                      .x = slid.time,
                      .rows = {}};
  figure.rows.push_back({"prey", {{"observed", slid.observed[0]}, {"predicted", slid.predicted[0]}}});
  figure.rows.push_back({"predator", {{"observed", slid.observed[1]}, {"predicted", slid.predicted[1]}}});
  const std::vector<std::string> greek = {"α", "β", "γ", "δ"};
  for (std::size_t p = 0; p < greek.size(); ++p) figure.rows.push_back(row_of(greek[p], slid.theta[p]));
  figure.rows.push_back(row_of("‖f_D‖²", slid.network_norm));
  figure.rows.push_back(row_of("NRMSE [%]", slid.nrmse_percent));
  work.show("figure-8-" + series, std::move(figure));
  const bool is_shown = series == kShown;
  work.find({fmt::format("{}: NRMSE in per cent", series), slid.total_nrmse_percent,
             is_shown ? "1.7 (code)" : "3.3 (code)", 0, is_shown ? 3.4 : 6.6},
            kNeedsBoth);
  const std::vector<std::string> theirs = {"0.25 (code)", "1.09 (code)", "0.57 (code)", "1.19 (code)"};
  for (std::size_t p = 0; p < greek.size() && is_shown; ++p)
    work.find({fmt::format("{}: mean {}", series, greek[p]), mean_of(slid.theta[p]), theirs[p]});
}

// The lower triangle of all pairs. Returns where the encoder puts the parameters.
std::map<std::string, double> show_slices(Reproduction& work, const Run& run, const PlanktonPlan& plan) {
  LandscapeOptions request;
  request.on = kShownWindow;
  request.reference = ReferencePoint::estimator;
  for (const char* parameter : kParameters) request.vary.push_back({parameter, {}, {}, plan.points});
  const std::vector<LandscapeGrid> pairs = work.map(run, "window-65", request);
  constexpr std::size_t kSide = kParameters.size() - 1;
  PanelFigure figure{.title = "Predator–prey: slices of R = normD at t = 65 of C8 (figure 8, right)",
                     .notes = {"The other two parameters are where the encoder puts them."},
                     .n_columns = kSide,
                     .panels = std::vector<FigurePanel>(kSide * kSide)};
  std::map<std::string, double> encoded;
  for (const LandscapeGrid& pair : pairs) {
    encoded.insert(pair.held.begin(), pair.held.end());
    const auto place = [&](std::size_t axis) {
      return static_cast<std::size_t>(
          std::find(kParameters.begin(), kParameters.end(), pair.axes[axis].name) - kParameters.begin());
    };
    figure.panels[(place(1) - 1) * kSide + place(0)] = panel_of(pair, "normD");
  }
  work.show("figure-8-slices", std::move(figure));
  return encoded;
}

// How far R rises along one parameter: of the run's own network, and over all networks.
void find_rise(Reproduction& work, const LandscapeGrid& seen) {
  const std::string& parameter = seen.axes.front().name;
  const LandscapeMap& map = map_of(seen, "normD");
  const auto rise = [](const std::vector<double>& values) {
    const auto [low, high] = range_of(values);
    return high / low;
  };
  std::vector<double> rises;
  for (const std::vector<double>& network : map.band.networks) rises.push_back(rise(network));
  const bool is_alpha = parameter == kParameters.front();
  const std::string quantity = fmt::format("R at t = 65 along {}: highest over lowest", parameter);
  work.find({quantity, rises.empty() ? rise(map.values) : rises.front(),
             is_alpha ? "about 1: flat (paper); 3.5 over two thirds of the range (code)"
                      : "some extrema (paper); nearly flat (code)",
             is_alpha ? 1 : 1.2, is_alpha ? 1.5 : kInfinity},
            kNeedsData);
  if (rises.empty()) return;
  const auto [least, most] = range_of(rises);
  work.find({fmt::format("{}, of {} networks from", quantity, rises.size()), least, ""});
  work.find({fmt::format("{}, of {} networks to", quantity, rises.size()), most, ""});
}

// R along each parameter alone at the window of the paper, the others where the encoder puts them.
void show_profiles(Reproduction& work, const Run& run, const Theta& encoded, const PlanktonPlan& plan) {
  PanelFigure figure{.title = "Predator–prey: R = normD at t = 65 of C8 along each parameter",
                     .notes = {"The other three parameters are where the encoder puts them."},
                     .n_columns = 2,
                     .panels = {}};
  for (const char* parameter : kParameters) {
    LandscapeOptions request;
    request.on = kShownWindow;
    request.vary = {{parameter, {}, {}, plan.points}};
    request.at = encoded;
    request.at.erase(parameter);
    request.seeds = plan.networks;
    const LandscapeGrid seen = work.map(run, std::string("window-65-") + parameter, request).front();
    find_rise(work, seen);
    figure.panels.push_back(panel_of(seen, "normD", {encoded.at(parameter)}));
  }
  figure.notes.emplace_back("Dashed: where the encoder puts this one.");
  work.show("figure-8-profiles", std::move(figure));
}

// Verdicts look at all parameters, whatever is varied.
void judge(Reproduction& work, const Run& run, const PlanktonPlan& plan) {
  LandscapeOptions request;
  request.vary = {{kParameters.front(), {}, {}, 2}};
  request.seeds = plan.networks;
  request.single_precision = true;
  LandscapeOptions at_window = request, on_test = request;
  at_window.on = kShownWindow;
  work.map_and_judge(run, "verdicts-window-65", "the window at t = 65 of C8", at_window);
  on_test.on = Splits{{Split::test}};
  on_test.n_windows = plan.judged_windows;
  work.map_and_judge(run, "verdicts-test", "test windows, one θ for all", on_test);
}

}  // namespace

void reproduce_predator_prey(Reproduction& work) {
  PlanktonPlan plan = work.full_or_quick(kFullPlankton, kQuickPlankton);
  plan.epochs = work.epochs(kFullPlankton.epochs, kQuickPlankton.epochs);
  plan.encoder_epochs = std::min(plan.encoder_epochs, plan.epochs);
  plan.networks = work.networks(kFullPlankton.networks, kQuickPlankton.networks);
  work.set_settings(fmt::format("{} of {} epochs, then {} of the encoder", networks_text(plan.networks),
                                plan.epochs, plan.encoder_epochs));
  work.prepare(example_model("predator-prey"));
  if (!work.begin_comparison(std::nullopt)) return;
  TrainOptions learning;
  learning.epochs = plan.epochs;
  const Run run = work.learn(learning);
  work.find({"training L", run.record()->loss, "2.0e-3 (code)", 0, 4e-3}, kNeedsBoth);
  const Run encoder = learn_encoder(work, run, plan);
  find_on_test(work, encoder);
  show_series(work, encoder, kShown, "which the paper shows");
  show_series(work, encoder, kHeldOut, "held out");
  show_profiles(work, run, show_slices(work, encoder, plan), plan);
  judge(work, run, plan);
}

}  // namespace greybox
