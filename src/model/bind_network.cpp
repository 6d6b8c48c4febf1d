// Networks: what they read, at which rate they run, and what their outputs are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "core/name_list.hpp"
#include "core/nearest_name.hpp"
#include "model/binder.hpp"

namespace greybox {
namespace {

constexpr std::string_view kWindow = "window";

bool reads_window(const Equation& equation) {
  const Syntax& syntax = *equation.syntax;
  return syntax.kind == SyntaxKind::name && (syntax.text == kWindow || syntax.text.starts_with("window."));
}

}  // namespace

void Binder::bind_network(std::size_t network, const Syntax* used_at, const Equation* used_in,
                          Context context) {
  BoundNetwork& bound = model_->networks[network];
  switch (network_progress_[network]) {
    case Progress::failed:
      throw Reported{};
    case Progress::under_way:
      fail(*used_in, used_at->range, fmt::format("network `{}` needs its own output", bound.spec->name),
           "break the circle: a network's inputs may use only networks that do not depend on it");
    case Progress::done:
      if (bound.is_estimator != (context == Context::estimator) && used_at != nullptr)
        fail(*used_in, used_at->range,
             fmt::format("network `{}` is used both in [estimator] and elsewhere", bound.spec->name),
             "give [estimator] networks of its own: they are trained after the others");
      return;
    case Progress::not_yet:
      break;
  }
  network_progress_[network] = Progress::failed;  // until shown otherwise
  bound.is_estimator = context == Context::estimator;
  network_progress_[network] = Progress::under_way;
  try {
    if (bound.spec->inputs.empty())
      window_inputs(network);
    else
      network_inputs(network, context == Context::observe ? Context::model : context);
  } catch (...) {
    network_progress_[network] = Progress::failed;
    throw;
  }
  network_progress_[network] = Progress::done;
}

void Binder::network_inputs(std::size_t network, Context context) {
  const NetworkSpec& spec = *model_->networks[network].spec;
  // Encoders used in [state] read data columns; all other networks live among states and parameters.
  std::vector<NodeId> inputs;
  std::vector<std::size_t> input_of;
  for (const Equation& equation : spec.inputs) {
    const bool is_window = reads_window(equation);
    for (NodeId part : is_window ? window_values(*equation.syntax, equation, &spec)
                                 : expression(*equation.syntax, equation, context).parts) {
      if (model_->graph[part].shape == Shape::field && !spec.is_on_fields())
        fail(equation, equation.syntax->range,
             fmt::format("a field stands where a scalar is needed: {} reads scalars", spec.kind->noun),
             "use kind = \"conv2d\" (with kernel = 1 for a network that acts point by point), or norm2(…)");
      inputs.push_back(part);
      input_of.push_back(static_cast<std::size_t>(&equation - spec.inputs.data()));
      const bool is_condition = input_of.back() >= spec.inputs.size() - spec.n_conditions;
      if (is_condition && !spec_->is_algebraic() && model_->graph[part].rate == Rate::evaluation)
        fail(equation, equation.syntax->range,
             "this changes along the trajectory, and weights are made once for a window",
             "use parameters, inputs at the window's start or outputs of networks of these; or list it in "
             "`inputs`");
    }
  }
  if (spec.is_on_fields())
    for (NodeId& input : inputs)
      if (model_->graph[input].shape == Shape::scalar)
        input = model_->graph.apply(Operation::broadcast, {input});
  model_->networks[network].inputs = inputs;
  model_->networks[network].input_of = input_of;
  network_outputs(network);
}

void Binder::window_inputs(std::size_t network) {
  BoundNetwork& bound = model_->networks[network];
  bound.inputs = window_values(bound.spec);
  if (bound.spec->is_on_fields())
    for (NodeId& input : bound.inputs)
      if (model_->graph[input].shape == Shape::scalar)
        input = model_->graph.apply(Operation::broadcast, {input});
  network_outputs(network);
}

std::vector<NodeId> Binder::window_values(const NetworkSpec* spec) {
  std::vector<std::size_t> columns;
  for (const Equation& observed : spec_->observe) columns.push_back(column(observed.name));
  if (columns.empty())
    for (const Equation& equation : spec_->is_algebraic() ? spec_->theory : spec_->state)
      columns.push_back(column(equation.name));
  return snapshots_of(columns, spec);
}

std::vector<NodeId> Binder::window_values(const Syntax& syntax, const Equation& equation,
                                          const NetworkSpec* spec) {
  if (syntax.text == kWindow) return window_values(spec);
  const std::string name = syntax.text.substr(kWindow.size() + 1);
  std::vector<std::string> known;
  for (std::size_t j = 0; j < spec_->inputs.size(); ++j) {
    if (spec_->inputs[j].name == name) return snapshots_of({model_->input_columns[j]}, spec);
    known.push_back(spec_->inputs[j].name);
  }
  if (is_column(name)) return snapshots_of({column(name)}, spec);
  known.insert(known.end(), data_columns_->begin(), data_columns_->end());
  const auto near = nearest_name(name, known);
  fail(equation, syntax.range, fmt::format("the window has no `{}`", name),
       near ? fmt::format("did you mean `{}.{}`?", kWindow, *near)
            : "it has the inputs and the columns of the data: " + name_list(known));
}

std::vector<NodeId> Binder::snapshots_of(const std::vector<std::size_t>& columns, const NetworkSpec* spec) {
  std::vector<NodeId> values;
  for (std::size_t k = 0; k < spec_->data.window.observed; ++k)
    for (std::size_t c : columns) {
      const ModelColumn& read = model_->columns[c];
      if (read.shape == Shape::field && spec != nullptr && !spec->is_on_fields())
        throw InputError(
            at(*spec_->source, spec->span,
               fmt::format("network `{}` reads the window, and `{}` in it is a field", spec->name, read.name),
               "use kind = \"conv2d\" for windows of fields"));
      values.push_back(leaf(LeafKind::snapshot, c, k, read.shape, Rate::sample));
    }
  return values;
}

void Binder::network_outputs(std::size_t network) {
  check_scales(network);
  add_twin(network);
  scale_inputs(network);
  add_output_leaves(network);
  if (model_->networks[network].spec->constraints == NetworkConstraints{}) return;
  for (std::size_t output = 0; output < model_->networks[network].outputs.size(); ++output)
    model_->networks[network].constrained.push_back(constrained_output(network, output));
}

void Binder::add_output_leaves(std::size_t network) {
  BoundNetwork& bound = model_->networks[network];
  const Graph& graph = model_->graph;
  bound.rate = Rate::sample;
  for (NodeId input : bound.inputs) {
    bound.rate = std::max(bound.rate, graph[input].rate);
    bound.section = std::max(bound.section, graph[input].section);
  }
  std::size_t position = 0;
  for (const OutputSpec& output : bound.spec->outputs)
    for (std::size_t i = 0; i < output.count; ++i)
      bound.outputs.push_back(leaf(LeafKind::network_output, network, position++,
                                   bound.spec->is_on_fields() ? Shape::field : Shape::scalar, bound.rate,
                                   bound.section + 1U));
}

}  // namespace greybox
