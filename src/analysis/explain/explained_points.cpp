#include "analysis/explain/explained_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/point_evaluator.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

// More windows than this would take long and say the same.
constexpr std::size_t kMostExplainedWindows = 64;

std::vector<double> mean_theta(const OpenedRun& run, const std::vector<std::size_t>& windows,
                               ThreadPool& pool) {
  const Prediction prediction = make_prediction<double>(run.loaded, {run.weights, windows, {}}, pool);
  const std::size_t n = prediction.parameters.size();
  std::vector<double> mean(n);
  for (std::size_t i = 0; i < prediction.theta.size(); ++i)
    mean[i % n] += prediction.theta[i] / static_cast<double>(prediction.n_windows);
  return mean;
}

const std::vector<double>& data_of(const Prediction& prediction, const std::string& name) {
  return std::ranges::find(prediction.data, name, &PredictedVariable::name)->values;
}

void refuse_fields(const BoundModel& model) {
  if (model.spec->grid.is_given)
    throw InputError(at(*model.spec->source, model.spec->grid.span,
                        "a correction of fields is not explained: it depends on too many numbers",
                        "look at it with `predict` or an evaluator"));
}

bool reads_time(const Syntax& syntax) {
  if (syntax.kind == SyntaxKind::name && syntax.text == "t") return true;
  return std::ranges::any_of(syntax.children, [](const SyntaxPtr& child) { return reads_time(*child); });
}

// Whether the correction may depend on the time itself.
bool reads_time(const ModelSpec& spec) {
  const auto in = [](const std::vector<Equation>& equations) {
    return std::ranges::any_of(equations, [](const Equation& one) { return reads_time(*one.syntax); });
  };
  return in(spec.data_driven) || in(spec.definitions) ||
         std::ranges::any_of(spec.networks, [&](const NetworkSpec& network) { return in(network.inputs); });
}

// Names of what a point holds, and where their values stand in the prediction.
std::vector<const std::vector<double>*> sources_of(const LoadedModel& loaded, const Prediction& prediction,
                                                   const Evaluator& evaluator, ExplainedPoints& points) {
  std::vector<const std::vector<double>*> sources;
  for (const Evaluator::Variable& state : evaluator.states()) {
    points.variables.push_back(state.name);
    sources.push_back(evaluator.is_algebraic() ? &data_of(prediction, state.name)
                                               : &prediction.state(state.name));
  }
  points.n_states = sources.size();
  for (std::size_t i = 0; i < evaluator.n_inputs(); ++i) {
    points.variables.push_back(evaluator.inputs()[i]);
    sources.push_back(&prediction.data[loaded.model->input_columns[i]].values);
  }
  points.n_inputs = evaluator.n_inputs();
  points.has_time = !evaluator.is_algebraic() && reads_time(*loaded.spec);
  if (points.has_time) points.variables.emplace_back("t");
  for (const Evaluator::Variable& component : evaluator.components())
    points.components.push_back(component.name);
  return sources;
}

}  // namespace

ExplainedPoints explained_points(const OpenedRun& run, const std::vector<std::size_t>& windows,
                                 std::vector<double> theta, std::size_t most, ThreadPool& pool) {
  refuse_fields(*run.loaded.model);
  const std::vector<std::size_t> chosen =
      stratified_draw(windows, run.loaded.model->is_algebraic() ? most : kMostExplainedWindows, 0);
  if (theta.empty() && !run.loaded.spec->parameters.empty()) theta = mean_theta(run, chosen, pool);
  const Prediction prediction =
      make_prediction<double>(run.loaded, {run.weights, chosen, theta, {}, true}, pool);
  const Evaluator evaluator = make_evaluator(run.loaded, run.weights, theta, chosen.front());
  ExplainedPoints points;
  points.theta = theta;
  const auto sources = sources_of(run.loaded, prediction, evaluator, points);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < prediction.n_windows * prediction.n_steps; ++i) {
    const bool is_whole =
        std::ranges::all_of(sources, [&](const auto* source) { return std::isfinite((*source)[i]); });
    if (is_whole && std::isfinite(prediction.time[i])) places.push_back(i);
  }
  if (places.empty())
    refuse_option("on", "there is no point at which the model is finite",
                  "take other parameters, or other windows");
  for (const std::size_t i : stratified_draw(places, most, 0)) {
    const std::size_t w = i / prediction.n_steps;
    points.window.push_back(chosen[w]);
    points.step.push_back(i % prediction.n_steps);
    std::vector<double>& values = points.values.emplace_back();
    for (const auto* source : sources) values.push_back((*source)[i]);
    points.time.push_back(evaluator.is_algebraic() ? 0 : prediction.time[i] - prediction.windows[w].start);
    if (points.has_time) values.push_back(points.time.back());
    std::vector<double>&theory = points.theory.emplace_back(), &network = points.network.emplace_back();
    for (const std::string& component : points.components) {
      theory.push_back(prediction.theory(component)[i]);
      network.push_back(prediction.network(component)[i]);
    }
  }
  return points;
}

}  // namespace greybox
