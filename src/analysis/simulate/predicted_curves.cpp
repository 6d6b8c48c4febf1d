#include "greybox/predicted_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "analysis/run/first_input.hpp"
#include "analysis/run/networks.hpp"
#include "analysis/run/theta_choice.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/simulate/curve_bands.hpp"
#include "core/refuse.hpp"
#include "core/stage_progress.hpp"
#include "model/prediction.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

void check_curve_options(const CurveOptions& options) {
  if (!(options.level > 0 && options.level < 1))
    refuse_option("level", fmt::format("{} is no share of draws", options.level),
                  "give a number between 0 and 1, such as 0.9");
  if (options.draws == 0) refuse_option("draws", "there are no draws to make a band of", "give at least 1");
  if (options.n_shown == 0) refuse_option("n_shown", "no window is asked for", "ask for 1 or more");
}

// Predictions of the same windows: of the run, of each network, of each draw.
class CurveMaker {
 public:
  CurveMaker(OpenedTarget target, const CurveOptions& options)
      : target_(std::move(target)),
        options_(options),
        is_algebraic_(run().loaded.spec->is_algebraic()),
        pool_(options.execution.n_threads),
        stage_(options.execution, "prediction", "networks and draws") {
    std::vector<std::size_t>& windows = target_.choice.windows;
    windows = stratified_draw(windows, is_algebraic_ ? options.n_points : options.n_shown);
    TailoredWindows at = chosen_theta(target_, options.theta, options.theta_from, pool_);
    theta_ = std::move(at.theta);
    latents_ = std::move(at.draws);
    networks_ = gather_networks(run(), {options.seeds, options.with}, options.execution);
    if (options.theta.empty() && options.theta_from == ThetaFrom::posterior)
      draws_ = posterior_draws(run(), options.draws);
    const std::size_t n_fine = outputs_of_curves(run().trained);
    // Together where the windows of a batch belong together.
    predictor_.emplace(run().trained, windows.size(), pool_, n_fine);
    is_fine_ = n_fine > 1;
  }

  PredictedCurves make() {
    PredictedCurves result;
    measured_ = make_prediction<double>(run().trained, request(run().weights, theta_), pool_);
    own_ = predict(run().weights, theta_);
    for (std::size_t k = 1; k < networks_.size(); ++k)
      others_.push_back(predict(networks_.weights[k], theta_of_network(k)));
    for (const std::vector<double>& draw : draws_) drawn_.push_back(predict(run().weights, draw));
    describe(result);
    if (is_algebraic_)
      add_points(result);
    else
      for (std::size_t w = 0; w < own_.n_windows; ++w) add_window(w, result);
    return result;
  }

 private:
  const OpenedRun& run() const { return target_.run; }

  PredictionRequest request(const std::vector<double>& weights, const std::vector<double>& theta) const {
    return {.weights = weights,
            .windows = target_.choice.windows,
            .theta = theta,
            .keeps_states = false,
            .judges_residuals = false,
            .draws = latents_};
  }

  Prediction predict(const std::vector<double>& weights, const std::vector<double>& theta) {
    const std::size_t n_all = std::max<std::size_t>(1, networks_.size() + draws_.size());
    stage_.show(std::min(++n_predicted_, n_all), n_all);
    const PredictionRequest asked = request(weights, theta);
    return is_fine_ ? predictor_->curves(asked) : predictor_->predict(asked);
  }

  // In modes with one θ each network has the one that it learned.
  std::vector<double> theta_of_network(std::size_t k) const {
    const bool is_own =
        options_.theta.empty() &&
        (options_.theta_from == ThetaFrom::run ||
         (options_.theta_from == ThetaFrom::automatic && run().loaded.model->estimator.empty()));
    if (!is_own || networks_.theta.size() <= k || networks_.theta[k].empty()) return theta_;
    return theta_from(*run().loaded.spec, networks_.theta[k]);
  }

  void describe(PredictedCurves& result) const {
    const ModelSpec& spec = *run().loaded.spec;
    const DataTable& table = run().loaded.data->table();
    result.model = spec.name;
    result.on = target_.choice.name;
    result.level = options_.level;
    result.n_networks = networks_.size();
    result.n_draws = std::max<std::size_t>(1, draws_.size());
    for (const ParameterSpec& parameter : spec.parameters) result.parameters.push_back(parameter.name);
    if (theta_.size() == spec.parameters.size()) result.theta = theta_by_name(spec, theta_);
    result.across = table.time_name.empty() ? "time" : table.time_name;
    if (!table.time_unit.empty()) result.across += fmt::format(" ({})", table.time_unit);
    if (is_algebraic_) {
      const std::optional<std::size_t> input = first_input(*run().loaded.model);
      result.across = input ? run().loaded.model->columns[*input].name : "row";
      result.is_scattered = n_inputs(*run().loaded.model) > 1;
    }
    result.warnings = run().warnings;
    result.warnings.insert(result.warnings.end(), networks_.warnings.begin(), networks_.warnings.end());
  }

  // Values of a variable: those of the window, in the order of `places`.
  using Places = std::vector<std::size_t>;
  static std::vector<double> at_places(const std::vector<double>& values, const Places& places) {
    std::vector<double> some;
    for (const std::size_t place : places) some.push_back(values[place]);
    return some;
  }

  static std::vector<const Prediction*> all_of(const std::vector<Prediction>& members,
                                               const Prediction* own = nullptr) {
    std::vector<const Prediction*> all;
    if (own != nullptr) all.push_back(own);
    for (const Prediction& member : members) all.push_back(&member);
    return all;
  }

  PredictedCurve curve(std::size_t output, const Places& measured, const Places& drawn) const {
    const Observed& observed = run().loaded.model->observed[output];
    PredictedCurve curve{.name = observed.name};
    curve.measured = at_places(measured_.data[observed.column].values, measured);
    curve.predicted = at_places(own_.variables[output].values, drawn);
    if (!others_.empty()) curve.networks = band_over(all_of(others_, &own_), output, drawn);
    if (!drawn_.empty()) curve.draws = band_over(all_of(drawn_), output, drawn, options_.level);
    return curve;
  }

  static Places places_of(const Prediction& prediction, std::size_t w) {
    Places places(prediction.windows[w].n_steps);
    std::iota(places.begin(), places.end(), w * prediction.n_steps);
    return places;
  }

  void add_window(std::size_t w, PredictedCurves& result) const {
    const PredictedWindow& window = measured_.windows[w];
    const Places measured = places_of(measured_, w), drawn = places_of(own_, w);
    CurvesOfWindow one{.name = fmt::format("{}{}from {:.6g}", window.series,
                                           window.series.empty() ? "" : ", ", window.start)};
    for (std::size_t o = 0; o < run().loaded.model->observed.size(); ++o) {
      one.curves.push_back(curve(o, measured, drawn));
      one.curves.back().measured_at = at_places(measured_.time, measured);
      one.curves.back().at = at_places(own_.time, drawn);
    }
    result.windows.push_back(std::move(one));
  }

  // Every sample is a point over the first input, in its order.
  void add_points(PredictedCurves& result) const {
    const std::optional<std::size_t> input = first_input(*run().loaded.model);
    const PreparedData& data = *run().loaded.data;
    std::vector<double> x;
    for (const std::size_t window : target_.choice.windows) {
      const std::size_t row = data.windows().windows[window].first_row;
      x.push_back(input ? data.windows().columns[*input]->at(row) : static_cast<double>(row));
    }
    Places order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    CurvesOfWindow all;
    for (std::size_t o = 0; o < run().loaded.model->observed.size(); ++o) {
      all.curves.push_back(curve(o, order, order));
      all.curves.back().measured_at = all.curves.back().at = at_places(x, order);
    }
    result.windows.push_back(std::move(all));
  }

  OpenedTarget target_;
  const CurveOptions& options_;
  bool is_algebraic_, is_fine_ = false;
  ThreadPool pool_;
  StageProgress stage_;
  std::vector<double> theta_;
  // Of latents that adapt to each window; else empty.
  std::vector<double> latents_;
  std::vector<std::vector<double>> draws_;
  Networks networks_;
  std::optional<Predictor<double>> predictor_;
  std::size_t n_predicted_ = 0;
  // At the snapshots; the run's, the other networks' and the draws' curves.
  Prediction measured_, own_;
  std::vector<Prediction> others_, drawn_;
};

}  // namespace

PredictedCurves predicted_curves(const Run& handle, const CurveOptions& options) {
  check_curve_options(options);
  if (handle.model().spec()->grid.is_given)
    refuse(handle.model().spec()->source->path, "predictions of fields are no curves",
           "the report and the explorer show them as frames; `predict` writes them as npz");
  std::vector<std::string> regularizers;
  if (const std::string tailoring = tailoring_regularizer(handle); !tailoring.empty())
    regularizers.push_back(tailoring);
  OpenedTarget target = open_target(handle, {options.on, options.data}, regularizers,
                                    {Split::test, Split::validation, Split::train});
  if (!target.has_outputs)
    refuse_option("on", "grid points have nothing measured beside them", "name a split or a file");
  return CurveMaker(std::move(target), options).make();
}

}  // namespace greybox
