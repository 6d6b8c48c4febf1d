// A model explained to its author, before anything runs.
#include "greybox/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "greybox/counted.hpp"
#include "model/data_report.hpp"
#include "model/loaded_model.hpp"
#include "model/network_set.hpp"
#include "model/noise_data.hpp"
#include "model/reachable.hpp"
#include "model/scales_json.hpp"
#include "model/settled_scales.hpp"

namespace greybox {
namespace {

std::string mathematics(const Equation& equation) {
  return to_mathematics(*equation.syntax);
}

constexpr double kCentral = 2.5758;  // half of the central 99 % of a normal, in standard deviations

// Where grids and searches look, of priors that do not end.
std::string range_text(const ParameterSpec& p) {
  const bool is_open = !std::isfinite(p.high) || !std::isfinite(p.low);
  if (!is_open) return p.is_log ? ", in logarithmic steps" : "";
  const auto at = [&](double sds) {
    const double value = p.mean + sds * p.sd;
    return p.prior == PriorKind::lognormal ? std::exp(value) : value;
  };
  return fmt::format(": {:.3g} to {:.3g} (99 %){}", std::max(p.low, at(-kCentral)),
                     std::min(p.high, at(kCentral)), p.is_log ? ", in logarithmic steps" : "");
}

std::string prior_text(const ParameterSpec& p) {
  switch (p.prior) {
    case PriorKind::uniform:
      return fmt::format("uniform on [{:g}, {:g}]", p.low, p.high);
    case PriorKind::normal:
      return fmt::format("normal, mean {:g}, sd {:g}", p.mean, p.sd);
    case PriorKind::lognormal:
      return fmt::format("lognormal, log-mean {:g}, log-sd {:g}", p.mean, p.sd);
    case PriorKind::truncated_normal:
      return fmt::format("normal, mean {:g}, sd {:g}, cut to [{:g}, {:g}]", p.mean, p.sd, p.low, p.high);
    case PriorKind::beta:
      return fmt::format("beta, alpha {:g}, beta {:g}", p.alpha, p.beta);
  }
  return {};
}

void heading(std::string& text, const std::string& title) {
  text += fmt::format("\n{}\n", title);
}

void add_equations(std::string& text, const std::string& title, const std::vector<Equation>& equations,
                   const std::string& left) {
  if (equations.empty()) return;
  heading(text, title);
  for (const Equation& equation : equations)
    text += fmt::format("  {} = {}\n", fmt::vformat(left, fmt::make_format_args(equation.name)),
                        mathematics(equation));
}

void add_parameters(std::string& text, const ModelSpec& spec) {
  if (spec.parameters.empty()) return;
  heading(text, "Parameters θ");
  for (const ParameterSpec& p : spec.parameters) {
    text += fmt::format("  {} ~ {}{}", p.name, prior_text(p) + range_text(p), p.learned ? " (learned)" : "");
    if (!p.unit.empty()) text += fmt::format("  [{}]", p.unit);
    if (!p.about.empty()) text += fmt::format("  {}", p.about);
    text += '\n';
  }
}

std::vector<std::string> constraints_of(const NetworkSpec& network) {
  const NetworkConstraints& constraints = network.constraints;
  std::vector<std::string> known;
  if (constraints.is_positive) known.emplace_back("positive");
  if (constraints.bounds)
    known.push_back(
        fmt::format("between {:g} and {:g}", constraints.bounds->first, constraints.bounds->second));
  const auto add = [&](const std::vector<std::size_t>& inputs, std::string_view what) {
    std::vector<std::string> names;
    for (const std::size_t input : inputs) names.push_back(mathematics(network.inputs[input]));
    if (!names.empty()) known.push_back(fmt::format("{} {}", what, fmt::join(names, " and ")));
  };
  add(constraints.zero_at_zero, "zero at zero of");
  add(constraints.odd, "odd in");
  add(constraints.even, "even in");
  add(constraints.increasing, "increasing in");
  add(constraints.decreasing, "decreasing in");
  if (constraints.sums_to_zero) known.emplace_back("zero in sum");
  return known;
}

void add_networks(std::string& text, const BoundModel& model) {
  const NetworkSet<double> networks(model);
  heading(text, "Networks");
  for (std::size_t n = 0; n < model.networks.size(); ++n) {
    const BoundNetwork& network = model.networks[n];
    if (network.twin_of) continue;
    const char* when = network.is_estimator               ? "when θ is estimated from the window"
                       : network.rate == Rate::evaluation ? "at every evaluation"
                       : network.rate == Rate::solution   ? "once per sample, when it is solved"
                                                          : "once per sample";
    text += fmt::format("  {}: {}; {}; runs {}\n", network.spec->name,
                        network.spec->kind->describe(network_config(model, network)),
                        counted(networks[n].n_weights(), "weight"), when);
    if (network.spec->inputs.empty()) text += "    reads the window\n";
    for (const Equation& input : network.spec->inputs)
      text += fmt::format("    reads {}\n", mathematics(input));
    if (const auto known = constraints_of(*network.spec); !known.empty())
      text += fmt::format("    gives what is {}\n", fmt::join(known, ", "));
  }
}

std::string by_name(const std::map<std::string, double>& scales) {
  std::vector<std::string> items;
  for (const auto& [name, scale] : scales) items.push_back(fmt::format("{} {:.4g}", name, scale));
  return fmt::format("{}", fmt::join(items, ", "));
}

// In the order of `inputs` and `outputs` in the file.
void add_scales(std::string& text, const ModelSpec& spec) {
  if (!spec.scales || *spec.scales == Scales{}) return;
  heading(text, "Scales (of the training data; `scale = \"none\"` leaves them out)");
  if (!spec.scales->states.empty()) text += fmt::format("  states: {}\n", by_name(spec.scales->states));
  if (!spec.scales->observed.empty()) text += fmt::format("  loss: {}\n", by_name(spec.scales->observed));
  for (const auto& [name, network] : spec.scales->networks) {
    text += fmt::format("  {} reads", name);
    for (std::size_t i = 0; i < network.input_mean.size(); ++i)
      text +=
          fmt::format("{} {:.4g} ± {:.4g}", i > 0 ? "," : "", network.input_mean[i], network.input_scale[i]);
    text += fmt::format("; gives ± {:.4g}\n", fmt::join(network.output_scale, ", ± "));
  }
}

std::string parameter_text(const NoiseSpec& noise, const ModelSpec& spec) {
  const std::string_view key = family_of(noise.kind).spread_key;
  if (key.empty()) return "";
  if (noise.equation) return fmt::format(", {} = {}", key, noise.equation->text);
  if (!noise.is_estimated) return fmt::format(", {} = {:.4g}", key, noise.spread);
  const std::string start =
      spec.scales ? fmt::format(" from {:.4g}", scale_in(spec.scales->noise, noise.name)) : "";
  return fmt::format(", {} estimated{}", key, start);
}

void add_noise(std::string& text, const ModelSpec& spec) {
  if (spec.noise.empty()) return;
  heading(text, "Noise (L is the negative log-likelihood per datum)");
  for (const NoiseSpec& noise : spec.noise)
    text += fmt::format("  {}: {}{}{}\n", noise.name, family_of(noise.kind).name, parameter_text(noise, spec),
                        noise.kind == NoiseKind::student ? fmt::format(", df = {:g}", noise.df) : "");
}

void add_solver(std::string& text, const ModelSpec& spec) {
  if (spec.is_algebraic()) return;
  const IntegratorOptions& solver = spec.solver.options;
  heading(text, "Solver");
  text += fmt::format("  {} (order {}{}), ", solver.tableau->name, solver.tableau->order,
                      solver.tableau->is_implicit() ? ", implicit" : "");
  if (solver.tableau->is_adaptive())
    text += fmt::format("relative tolerance {:g}, absolute {:g}", solver.relative_tolerance,
                        solver.absolute_tolerance);
  else
    text += solver.step > 0 ? fmt::format("step at most {:g}", solver.step) : "one step between snapshots";
  text += solver.weighting == Weighting::time ? "; means are time averages\n"
                                              : "; means run over all evaluations\n";
  if (spec.solver.is_automatic)
    text += fmt::format("  method = \"auto\": {}\n",
                        spec.solver.is_settled ? spec.solver.reason : "chosen once there are data");
}

void add_data(const LoadedModel& loaded, ModelSummary& summary) {
  const PreparedData& data = *loaded.data;
  const DataAccount& account = data.account();
  DataSummary counts{.n_rows = data.table().n_rows(),
                     .n_series = data.table().series.size(),
                     .n_windows = data.windows().windows.size(),
                     .n_train = data.of_split(Split::train).size(),
                     .n_validation = data.of_split(Split::validation).size(),
                     .n_test = data.of_split(Split::test).size(),
                     .time = time_summary(data.table()),
                     .n_dropped_rows = data.n_dropped_rows(),
                     .n_dropped_windows = account.n_dropped + account.n_without_start +
                                          account.n_without_values + account.n_straddling};
  for (const DataAccount::MissingCells& cells : account.missing)
    counts.missing.emplace_back(cells.column, cells.n);
  heading(summary.text, "Data");
  summary.text += describe_data(data, counts, loaded.spec->data);
  summary.data = std::move(counts);
}

bool is_used(const BoundModel& model, std::size_t parameter) {
  std::vector<NodeId> roots;
  for (const BoundState& state : model.states)
    for (NodeId node : {state.derivative, state.theory, state.initial}) roots.push_back(node);
  for (const Observed& observed : model.observed) roots.push_back(observed.value);
  const auto is_it = [&](const LeafRef& leaf) {
    return leaf.kind == LeafKind::parameter && leaf.index == parameter;
  };
  return std::any_of(roots.begin(), roots.end(),
                     [&](NodeId root) { return reaches_leaf(model, root, is_it); });
}

// Whether θ reaches some network, so that f_D can adapt to it (step 1 of the method).
bool is_adaptive(const BoundModel& model) {
  for (const BoundNetwork& network : model.networks)
    for (NodeId input : network.inputs)
      if (reaches_leaf(model, input, [](const LeafRef& leaf) { return leaf.kind == LeafKind::parameter; }))
        return true;
  return false;
}

bool mentions(const Syntax& syntax, std::string_view name) {
  return (syntax.kind == SyntaxKind::name && syntax.text == name) ||
         std::ranges::any_of(syntax.children, [&](const SyntaxPtr& child) { return mentions(*child, name); });
}

// Nothing beyond the first snapshot is left to find the start of a window by that nothing is learned from.
void add_start_suspicions(const ModelSpec& spec, std::vector<std::string>& found) {
  if (spec.data.window.observed > 1) return;
  for (std::size_t s = 0; s < spec.starts.size(); ++s)
    if (spec.starts[s].kind == StartKind::learned && spec.starts[s].per != StartOwner::run)
      found.push_back(fmt::format(
          "`{}` starts at the mean of its prior in windows that are not learned from, because they have no "
          "observed snapshot beyond the first: give `window` in [data] a larger `observed`",
          spec.state[s].name));
}

std::vector<std::string> suspicions(const LoadedModel& loaded) {
  std::vector<std::string> found;
  const BoundModel& model = *loaded.model;
  for (std::size_t p = 0; p < model.spec->parameters.size(); ++p)
    if (model.spec->parameters[p].draw != DrawPer::batch && !is_used(model, p))  // others are controls
      found.emplace_back(
          fmt::format("parameter `{}` does not enter the theory: no regularizer can say anything about it",
                      model.spec->parameters[p].name));
  if (!model.networks.empty() && !model.spec->parameters.empty() && !is_adaptive(model))
    found.emplace_back(
        "no network reads a parameter or the theory: it cannot adapt to θ, and landscapes will mean nothing; "
        "add the parameters (and theory.…) to its inputs");
  if (model.regularizers.empty())
    found.emplace_back("there are no regularizers: nothing will tell the parameters apart");
  if (!loaded.data && model.spec->data.files.empty())
    found.emplace_back("the model names no data file: names of columns were not checked");
  else if (!loaded.data)
    found.push_back(fmt::format("there is no data file {}: names of columns were not checked",
                                data_path(*model.spec).string()));
  else if (loaded.data->of_split(Split::train).empty())
    found.emplace_back("no window belongs to the training split");
  if (loaded.data)
    for (std::string& suspicion : data_suspicions(loaded)) found.push_back(std::move(suspicion));
  for (const auto* group : {&model.spec->inputs, &model.spec->data.columns})
    for (const Equation& equation : *group)
      if (mentions(*equation.syntax, "t"))
        found.push_back(fmt::format(
            "`t` in the equation of `{}` is the clock of the data, not the time since a window's start as in "
            "[theory]: write `clock`, which is the same everywhere",
            equation.name));
  add_start_suspicions(*model.spec, found);
  return found;
}

void add_sizes(const BoundModel& model, ModelSummary& summary) {
  summary.name = model.spec->name;
  summary.is_algebraic = model.is_algebraic();
  for (const ParameterSpec& p : model.spec->parameters) summary.parameters.push_back(p.name);
  for (const BoundState& state : model.states) summary.states.push_back(state.name);
  const NetworkSet<double> networks(model);
  for (const ModelTensor& tensor : networks.tensors())
    summary.weights.push_back({tensor.tensor.name, tensor.tensor.shape});
  summary.n_weights = networks.n_weights();
  for (const BoundRegularizer& regularizer : model.regularizers)
    summary.regularizers.push_back(regularizer.name);
}

void add_starts(std::string& text, const ModelSpec& spec) {
  if (spec.state.empty()) return;
  heading(text, "Initial state");
  for (std::size_t s = 0; s < spec.state.size(); ++s) {
    const StartSpec start = s < spec.starts.size() ? spec.starts[s] : StartSpec{};
    text += fmt::format("  {}(0)", spec.state[s].name);
    if (start.kind == StartKind::equation)
      text += fmt::format(" = {}\n", mathematics(spec.state[s]));
    else if (start.kind == StartKind::smooth)
      text += fmt::format(" = {}, smoothed over {} snapshots (order {})\n", mathematics(spec.state[s]),
                          spec.data.window.observed, start.order);
    else if (start.prior == PriorKind::uniform)
      text += fmt::format(" ~ uniform({}, {}), learned for every {}\n", start.low, start.high,
                          to_string(start.per));
    else
      text += fmt::format(" ~ {}({}, {}), learned for every {}\n", to_string(start.prior),
                          mathematics(spec.state[s]), start.sd, to_string(start.per));
  }
}

void add_latents(std::string& text, const ModelSpec& spec) {
  if (spec.latents.empty()) return;
  heading(text, "Latents, drawn for every window");
  for (const LatentSpec& latent : spec.latents)
    text +=
        fmt::format("  {} ~ {}{}{}\n", latent.name, to_mathematics(*parse_equation(distribution_of(latent))),
                    latent.is_vector ? fmt::format(", {} components", latent.size) : "",
                    latent.adapts ? "; not drawn, but found by the steps of mode tailored" : "");
}

std::string text_of(const LoadedModel& loaded) {
  const ModelSpec& spec = *loaded.spec;
  std::string text = spec.name + (spec.about.empty() ? "" : ": " + spec.about) + '\n';
  add_parameters(text, spec);
  add_equations(text, "Inputs u(t)", spec.inputs, "{}");
  text += describe_inputs(loaded);
  add_equations(text, "Definitions", spec.definitions, "{}");
  add_latents(text, spec);
  add_starts(text, spec);
  add_equations(text, "Theory f_T", spec.theory, spec.is_algebraic() ? "{}" : "d{}/dt");
  if (!loaded.model->networks.empty()) add_networks(text, *loaded.model);
  add_equations(text, "Data-driven part f_D", spec.data_driven, "{}");
  add_equations(text, "Composition", spec.composition, "{}");
  if (spec.composition.empty())
    text += fmt::format("\nComposition\n  {} = theory + network\n", spec.is_algebraic() ? "y" : "ds/dt");
  add_equations(text, "Observed", spec.observe, "{}");
  add_noise(text, spec);
  add_equations(text, "Estimator of θ", spec.estimator, "{}");
  add_solver(text, spec);
  add_equations(text, "Regularizers", spec.regularizers, "{}");
  add_scales(text, spec);
  return text;
}

ModelSummary summary_of(const LoadedModel& loaded) {
  if (loaded.data) refuse_impossible_values(*loaded.model, loaded.data->table());
  ModelSummary summary;
  summary.text = text_of(loaded);
  add_sizes(*loaded.model, summary);
  if (loaded.data) add_data(loaded, summary);
  if (loaded.spec->scales) summary.scales = *loaded.spec->scales;
  summary.warnings = suspicions(loaded);
  return summary;
}

Json to_json(const TimeSummary& time) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"column", or_null(time.column)},
          {"unit", or_null(time.unit)},
          {"first", time.first},
          {"last", time.last},
          {"least_step", time.least_step},
          {"median_step", time.median_step},
          {"greatest_step", time.greatest_step},
          {"gaps", time.n_gaps}};
}

}  // namespace

ModelSummary check(const Dataset& dataset) {
  return summary_of(dataset.loaded());
}

ModelSummary check(const Model& model) {
  return summary_of(assemble(model.spec(), nullptr));
}

std::string to_json(const ModelSummary& summary) {
  Json json;
  json["name"] = summary.name;
  for (const std::string& name : summary.parameters) json["parameters"].push_back(name);
  for (const std::string& name : summary.states)
    json[summary.is_algebraic ? "outputs" : "states"].push_back(name);
  for (const WeightInfo& weight : summary.weights) json["weights"][weight.name] = weight.shape;
  json["n_weights"] = summary.n_weights;
  for (const std::string& name : summary.regularizers) json["regularizers"].push_back(name);
  Json missing = Json::object();
  if (summary.data)
    for (const auto& [column, n] : summary.data->missing) missing[column] = n;
  if (summary.data)
    json["data"] = {{"rows", summary.data->n_rows},
                    {"series", summary.data->n_series},
                    {"windows", summary.data->n_windows},
                    {"train", summary.data->n_train},
                    {"validation", summary.data->n_validation},
                    {"test", summary.data->n_test},
                    {"time", to_json(summary.data->time)},
                    {"missing", missing},
                    {"dropped_rows", summary.data->n_dropped_rows},
                    {"dropped_windows", summary.data->n_dropped_windows}};
  if (summary.scales != Scales{}) json["scales"] = json_of(summary.scales);
  json["warnings"] = summary.warnings;
  if (!summary.advice.empty()) json["advice"] = summary.advice;
  return json.dump();
}

}  // namespace greybox
