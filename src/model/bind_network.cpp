// Networks: what they read, at which rate they run, and what their outputs are.
#include <fmt/format.h>

#include <algorithm>

#include "model/binder.hpp"

namespace greybox {

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
    if (bound.spec->reads_window)
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
  for (const Equation& equation : spec.inputs) {
    const Value value = expression(*equation.syntax, equation, context);
    for (NodeId part : value.parts) {
      if (model_->graph[part].shape == Shape::field && !spec.is_on_fields())
        fail(equation, equation.syntax->range,
             fmt::format("a field stands where a scalar is needed: {} reads scalars", spec.kind->noun),
             "use kind = \"conv2d\" (with kernel = 1 for a network that acts point by point), or norm2(…)");
      inputs.push_back(part);
    }
  }
  if (spec.is_on_fields())
    for (NodeId& input : inputs)
      if (model_->graph[input].shape == Shape::scalar)
        input = model_->graph.apply(Operation::broadcast, {input});
  model_->networks[network].inputs = inputs;
  network_outputs(network);
}

void Binder::window_inputs(std::size_t network) {
  BoundNetwork& bound = model_->networks[network];
  std::vector<std::string> names;
  for (const Equation& observed : spec_->observe) names.push_back(observed.name);
  if (names.empty())
    for (const Equation& equation : spec_->is_algebraic() ? spec_->theory : spec_->state)
      names.push_back(equation.name);
  const bool is_on_fields = bound.spec->is_on_fields();
  for (std::size_t k = 0; k < spec_->data.window.observed; ++k)
    for (const std::string& name : names) {
      const Shape shape = column_shape(name);
      if (shape == Shape::field && !is_on_fields)
        throw InputError(at(
            *spec_->source, bound.spec->span,
            fmt::format("network `{}` reads the window, and `{}` in it is a field", bound.spec->name, name),
            "use kind = \"conv2d\" for windows of fields"));
      NodeId node = leaf(LeafKind::snapshot, column(name), k, shape, Rate::sample);
      if (is_on_fields && shape == Shape::scalar) node = model_->graph.apply(Operation::broadcast, {node});
      bound.inputs.push_back(node);
    }
  network_outputs(network);
}

void Binder::network_outputs(std::size_t network) {
  BoundNetwork& bound = model_->networks[network];
  const Graph& graph = model_->graph;
  check_scales(network);
  scale_inputs(network);
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
