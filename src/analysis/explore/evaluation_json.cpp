#include "analysis/explore/evaluation_json.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/landscape/page_grid.hpp"
#include "analysis/page/report_parts.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Which output times of a window are shown.
struct ShownSteps {
  std::size_t first = 0, n = 0;
};

std::span<const double> steps_of(const Prediction& prediction, const PredictedVariable& variable,
                                 std::size_t window, ShownSteps steps) {
  const std::size_t points = variable.height * variable.width;
  return std::span(variable.values)
      .subspan((window * prediction.n_steps + steps.first) * points, steps.n * points);
}

class ShownWindows {
 public:
  ShownWindows(const BoundModel& model, const Evaluation& evaluation, std::size_t step)
      : model_(model),
        evaluation_(evaluation),
        prediction_(evaluation.shown),
        others_(evaluation.others),
        step_(step) {}

  Json series(std::size_t w) const {
    const PredictedWindow& window = prediction_.windows[w];
    const ShownSteps steps = shown_steps(w);
    Json json{
        {"series", window.series},
        {"start", window.start},
        {"time",
         packed_numbers(std::span(prediction_.time).subspan(w * prediction_.n_steps + steps.first, steps.n))},
        {"n_steps", window.n_steps},
        {"outputs", Json::array()},
        {"parts", Json::array()}};
    for (std::size_t o = 0; o < model_.observed.size(); ++o) json["outputs"].push_back(output(o, w, steps));
    for (const BoundState& state : model_.states)
      json["parts"].push_back(part(prediction_, state.name, w, steps));
    if (evaluation_.curves) json["curve"] = curve(*evaluation_.curves, w);
    return json;
  }

  // Every window is a point, in the order of the first input.
  Json points() const {
    const std::optional<std::size_t> input = first_input(model_);
    std::vector<std::size_t> order(prediction_.n_windows);
    std::iota(order.begin(), order.end(), 0);
    const auto x_of = [&](std::size_t w) {
      return input ? prediction_.data[*input].values[w] : static_cast<double>(w);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x_of(a) < x_of(b); });
    const auto in_order = [&](const std::vector<double>& values) {
      std::vector<double> ordered;
      for (std::size_t w : order) ordered.push_back(values[w]);
      return packed_numbers(ordered);
    };
    std::vector<double> x;
    for (std::size_t w : order) x.push_back(x_of(w));
    Json json{
        {"input", {{"name", input ? prediction_.data[*input].name : "row"}, {"values", packed_numbers(x)}}},
        {"outputs", Json::array()}};
    for (std::size_t o = 0; o < model_.observed.size(); ++o) {
      const std::string& name = model_.observed[o].name;
      Json one{{"name", name},
               {"observed", in_order(prediction_.data[model_.observed[o].column].values)},
               {"predicted", in_order(prediction_.variables[o].values)},
               {"theory", in_order(prediction_.theory(name))},
               {"network", in_order(prediction_.network(name))},
               {"others", Json::array()}};
      for (const Prediction& other : others_) one["others"].push_back(in_order(other.variables[o].values));
      json["outputs"].push_back(std::move(one));
    }
    return json;
  }

 private:
  // Of a trajectory all, of fields one.
  ShownSteps shown_steps(std::size_t w) const {
    const std::size_t n = prediction_.windows[w].n_steps;
    if (!model_.spec->grid.is_given) return {0, n};
    return {std::min(step_, n - 1), 1};
  }

  Json output(std::size_t o, std::size_t w, ShownSteps steps) const {
    const PredictedVariable& measured = prediction_.data[model_.observed[o].column];
    Json json{{"name", model_.observed[o].name},
              {"observed", packed_numbers(steps_of(prediction_, measured, w, steps))},
              {"predicted", packed_numbers(steps_of(prediction_, prediction_.variables[o], w, steps))},
              {"others", Json::array()}};
    for (const Prediction& other : others_)
      json["others"].push_back(packed_numbers(steps_of(other, other.variables[o], w, steps)));
    return json;
  }

  // What lies between the snapshots, too.
  Json curve(const Prediction& curves, std::size_t w) const {
    const ShownSteps steps{0, curves.windows[w].n_steps};
    Json json{{"time", packed_numbers(std::span(curves.time).subspan(w * curves.n_steps, steps.n))},
              {"outputs", Json::array()},
              {"parts", Json::array()}};
    for (std::size_t o = 0; o < model_.observed.size(); ++o) {
      const auto values = [&](const Prediction& one) {
        return packed_numbers(steps_of(one, one.variables[o], w, steps));
      };
      Json output{
          {"name", model_.observed[o].name}, {"predicted", values(curves)}, {"others", Json::array()}};
      for (const Prediction& other : evaluation_.other_curves) output["others"].push_back(values(other));
      json["outputs"].push_back(std::move(output));
    }
    for (const BoundState& state : model_.states) json["parts"].push_back(part(curves, state.name, w, steps));
    return json;
  }

  static Json part(const Prediction& prediction, const std::string& name, std::size_t w, ShownSteps steps) {
    const auto values = [&](const std::string& variable) {
      return packed_numbers(steps_of(prediction, variable_of(prediction, variable), w, steps));
    };
    return {{"name", name},
            {"theory", values("theory." + name)},
            {"network", values("network." + name)},
            {"state", values("state." + name)}};
  }

  const BoundModel& model_;
  const Evaluation& evaluation_;
  const Prediction& prediction_;
  const std::vector<Prediction>& others_;
  std::size_t step_;
};

Json shown_json(const BoundModel& model, const EvaluateRequest& request, const Evaluation& evaluation,
                std::size_t step) {
  if (evaluation.shown.n_windows == 0) return nullptr;
  const ShownWindows shown(model, evaluation, step);
  if (model.is_algebraic()) return shown.points();
  Json windows = Json::array();
  for (std::size_t w = 0; w < evaluation.shown.n_windows; ++w) {
    windows.push_back(shown.series(w));
    windows.back()["index"] = request.shown[w];
  }
  return {{"windows", windows}};
}

Json outputs_json(const Prediction& prediction) {
  Json outputs = Json::array();
  for (const OutputError& error : prediction.outputs)
    outputs.push_back({{"name", error.name}, {"rmse", error.rmse}, {"nrmse", error.nrmse}, {"r2", error.r2}});
  return outputs;
}

// L beyond the limit, as landscapes hatch it.
bool fits(const ExploredModel& model, const Evaluation& evaluation) {
  const double range = observed_range(model.run.trained, evaluation.windows);
  const double root = evaluation.totals.nrmse * range / error_unit(*model.run.trained.spec);
  return root * root <= model.run.loss_limit();
}

}  // namespace

Json json_of(const ExploreSession& session, const EvaluateRequest& request, const Evaluation& evaluation,
             std::size_t step) {
  const std::shared_ptr<const ExploredModel> model = session.model();
  const Prediction& totals = evaluation.totals;
  Json json{{"windows", evaluation.windows.size()},
            {"n_all", evaluation.n_all},
            {"regularizers", Json::object()},
            {"L", totals.mse},
            {"rmse", totals.rmse},
            {"nrmse", totals.nrmse},
            {"outputs", outputs_json(totals)},
            {"fits", fits(*model, evaluation)},
            {"warnings", totals.warnings},
            {"shown", shown_json(*model->run.trained.model, request, evaluation, step)}};
  for (const auto& [name, value] : totals.regularizers) json["regularizers"][name] = value;
  if (model->run.trained.model->has_noise()) json["nll"] = totals.negative_log_likelihood;
  if (!request.is_quick)
    json["errors"] = {{"index", evaluation.windows}, {"nrmse", packed_numbers(evaluation.window_errors)}};
  return json;
}

}  // namespace greybox
