// Binds a model: states, equations of motion, observations and the estimator; the order of tables does not
// matter.
#include "model/binder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/name_list.hpp"
#include "model/reachable.hpp"
#include "model/settled_scales.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostReported = 50;

}  // namespace

Binder::Binder(std::shared_ptr<const ModelSpec> spec, const std::vector<std::string>* data_columns)
    : Binder(std::move(spec), data_columns, std::make_shared<BoundModel>()) {}

Binder::Binder(std::shared_ptr<const ModelSpec> spec, const std::vector<std::string>* data_columns,
               std::shared_ptr<BoundModel> model)
    : ExpressionBinder(spec, model->graph),
      spec_(spec),
      data_columns_(data_columns),
      model_(std::move(model)) {
  model_->spec = spec_;
  const auto index = [](std::map<std::string, Pending>& pending, const std::vector<Equation>& equations) {
    for (const Equation& equation : equations) pending[equation.name].equation = &equation;
  };
  index(definitions_, spec_->definitions);
  index(theory_, spec_->theory);
  index(data_driven_, spec_->data_driven);
  index(composition_, spec_->composition);
  for (const NetworkSpec& network : spec_->networks)
    model_->networks.push_back({.spec = &network, .inputs = {}, .outputs = {}});
  network_progress_.resize(spec_->networks.size(), Progress::not_yet);
  used_outputs_.resize(spec_->networks.size());
  twins_.resize(spec_->networks.size());
  for (const Equation& equation : spec_->is_algebraic() ? spec_->theory : spec_->state)
    model_->states.push_back(
        {.name = equation.name, .scale = spec_->scales ? scale_in(spec_->scales->states, equation.name) : 1});
}

void Binder::fail(const Equation& equation, TextRange range, std::string message, std::string help) const {
  const auto same = [&](const Equation& extra) { return &extra == &equation; };
  if (std::none_of(extra_equations_.begin(), extra_equations_.end(), same))
    ExpressionBinder::fail(equation, range, std::move(message), std::move(help));
  throw InputError(in_expression(equation, range, std::move(message), std::move(help)));
}

std::shared_ptr<const BoundModel> Binder::bind(const std::vector<ExtraRegularizer>& extra) {
  for (const Equation& input : spec_->inputs) {
    model_->input_columns.push_back(model_->columns.size());
    // Made from its equation when the data are loaded.
    model_->columns.push_back({input.name, input_shape(input), true});
  }
  bind_states();
  bind_dynamics();
  bind_observed();
  bind_noise();
  bind_regularizers(extra);
  bind_loss_weight();
  if (diagnostics_.empty()) check_everything_used();
  if (!diagnostics_.empty()) throw InputError(std::move(diagnostics_));
  return model_;
}

// Nobody would read more, and a file made to have many mistakes takes no longer than others.
void Binder::report(const Diagnostic& diagnostic) {
  if (diagnostics_.size() > kMostReported) return;
  const auto same = [&](const Diagnostic& known) {
    return known.message == diagnostic.message && known.span.line == diagnostic.span.line &&
           known.span.column == diagnostic.span.column;
  };
  if (std::any_of(diagnostics_.begin(), diagnostics_.end(), same)) return;
  diagnostics_.push_back(diagnostics_.size() < kMostReported
                             ? diagnostic
                             : Diagnostic{.file = model_->spec->source->path,
                                          .message = "there are more mistakes than these",
                                          .help = "mend these first"});
}

Value Binder::demand(Pending& pending, Context context, const std::string& what) {
  const Equation& equation = *pending.equation;
  if (pending.progress == Progress::failed) throw Reported{};
  if (pending.progress == Progress::under_way)
    fail(equation, equation.syntax->range, fmt::format("{} leads back to itself", what),
         "break the circle of definitions");
  if (pending.progress == Progress::not_yet) {
    pending.progress = Progress::under_way;
    try {
      pending.value = expression(*equation.syntax, equation, context);
    } catch (...) {
      pending.progress = Progress::failed;
      throw;
    }
    pending.progress = Progress::done;
  }
  return pending.value;
}

NodeId Binder::as_shape(NodeId node, Shape shape, const Equation& equation) {
  if (model_->graph[node].shape == shape) return node;
  if (shape == Shape::field) return model_->graph.apply(Operation::broadcast, {node});
  fail(equation, equation.syntax->range,
       fmt::format("a field stands where a scalar is needed: `{}` is a scalar", equation.name),
       "sum over the grid with norm2(…) or dot(…, …), or give the state a field as its initial value");
}

NodeId Binder::theory_part(std::size_t state) {
  const BoundState& bound = model_->states[state];
  const auto found = theory_.find(bound.name);
  if (found == theory_.end()) throw Reported{};  // the reader of the file has said so
  const Value value = demand(found->second, Context::model, fmt::format("the theory of `{}`", bound.name));
  const Equation& equation = *found->second.equation;
  if (value.is_vector)
    fail(equation, equation.syntax->range, "a vector stands where one value is needed",
         "name one of its components");
  return spec_->is_algebraic() ? value.parts[0] : as_shape(value.parts[0], bound.shape, equation);
}

NodeId Binder::network_part(std::size_t state) {
  const BoundState& bound = model_->states[state];
  if (data_driven_.empty()) return default_correction(state);
  const auto found = data_driven_.find(bound.name);
  if (found == data_driven_.end()) return no_correction(state);
  const Value value =
      demand(found->second, Context::model, fmt::format("the data-driven part of `{}`", bound.name));
  const Equation& equation = *found->second.equation;
  if (value.is_vector)
    fail(equation, equation.syntax->range, "a vector stands where one value is needed",
         "name one of its components");
  return spec_->is_algebraic() ? value.parts[0] : as_shape(value.parts[0], bound.shape, equation);
}

// Without [data_driven], f_D of a state is the network output of the same name.
NodeId Binder::default_correction(std::size_t state) {
  const BoundState& bound = model_->states[state];
  std::optional<NodeId> correction;
  for (std::size_t n = 0; n < spec_->networks.size(); ++n)
    for (const OutputSpec& output : spec_->networks[n].outputs) {
      if (output.name != bound.name || model_->networks[n].is_estimator) continue;
      if (correction)
        throw InputError(at(*spec_->source, output.span,
                            fmt::format("more than one network has an output `{}`", bound.name),
                            "say in [data_driven] how they make up the correction of that state"));
      Equation here;
      here.text_span = output.span;
      Syntax use{SyntaxKind::name, {0, output.span.length}, 0, {}, {}, 0, {}};
      correction = network_output(n, output.name, use, here, Context::model).parts[0];
    }
  return correction ? *correction : no_correction(state);
}

NodeId Binder::no_correction(std::size_t state) {
  const NodeId zero = graph().constant(0);
  return model_->states[state].shape == Shape::field ? graph().apply(Operation::broadcast, {zero}) : zero;
}

void Binder::bind_dynamics() {
  // Networks of the estimator do not count as corrections, so they must be known first.
  guarded([&] { bind_estimator(); });
  for (std::size_t s = 0; s < model_->states.size(); ++s)
    guarded([&] {
      BoundState& state = model_->states[s];
      state.theory = theory_part(s);
      state.network = network_part(s);
      const auto composed = composition_.find(state.name);
      if (composed == composition_.end()) {
        state.derivative = model_->graph.apply(Operation::add, {state.theory, state.network});
      } else {
        const Equation& equation = *composed->second.equation;
        const NodeId node = scalar_or_field(*equation.syntax, equation, Context::model);
        state.derivative = spec_->is_algebraic() ? node : as_shape(node, state.shape, equation);
      }
      if (spec_->is_algebraic()) state.shape = model_->graph[state.derivative].shape;
    });
}

void Binder::bind_observed() {
  const auto add = [&](const std::string& name, NodeId value) {
    model_->observed.push_back(
        {name, column(name), value, spec_->scales ? scale_in(spec_->scales->observed, name) : 1});
  };
  if (spec_->observe.empty())  // only algebraic models may leave it out: their outputs are what is measured
    for (std::size_t s = 0; s < model_->states.size(); ++s)
      add(model_->states[s].name, leaf(LeafKind::state, s, 0, model_->states[s].shape, Rate::evaluation));
  for (const Equation& equation : spec_->observe)
    guarded([&] {
      if (!is_column(equation.name))
        throw InputError(at(*spec_->source, equation.name_span,
                            fmt::format("`{}` is not a column of the data", equation.name),
                            "the columns are " + name_list(*data_columns_)));
      const NodeId value = scalar_or_field(*equation.syntax, equation, Context::observe);
      if (reaches_leaf(*model_, value, [&](const LeafRef& ref) {
            return ref.kind == LeafKind::network_output &&
                   model_->networks[ref.index].rate == Rate::evaluation;
          }))
        fail(equation, equation.syntax->range,
             "what is observed cannot use a network that runs along the trajectory",
             "use states, parameters, or networks that read the window or θ only");
      if (model_->graph[value].shape != column_shape(equation.name))
        fail(equation, equation.syntax->range,
             fmt::format("`{}` is a {} in the data, and this is not", equation.name,
                         column_shape(equation.name) == Shape::field ? "field" : "scalar"),
             "compare like with like: list the fields of the data in [grid] fields");
      add(equation.name, value);
    });
}

void Binder::bind_estimator() {
  if (spec_->estimator.empty()) return;
  for (const ParameterSpec& parameter : spec_->parameters) {
    const auto same = [&](const Equation& equation) { return equation.name == parameter.name; };
    const auto found = std::find_if(spec_->estimator.begin(), spec_->estimator.end(), same);
    if (found == spec_->estimator.end())
      throw InputError(at(*spec_->source, spec_->estimator.front().name_span,
                          fmt::format("[estimator] says nothing about parameter `{}`", parameter.name),
                          "give every parameter an equation there"));
    const NodeId node = scalar_or_field(*found->syntax, *found, Context::estimator);
    if (model_->graph[node].shape == Shape::field)
      fail(*found, found->syntax->range,
           "a field stands where a scalar is needed: a parameter is one number per sample",
           "sum over the grid with norm2(…)");
    model_->estimator.push_back(node);
  }
}

void Binder::check_everything_used() const {
  std::vector<Diagnostic> unused;
  for (std::size_t n = 0; n < spec_->networks.size(); ++n)
    for (const OutputSpec& output : spec_->networks[n].outputs)
      if (!used_outputs_[n].contains(output.name))
        unused.push_back(
            at(*spec_->source, output.span,
               fmt::format("nobody uses output `{}` of network `{}`", output.name, spec_->networks[n].name),
               fmt::format("name it after a state, use `{}.{}` in an equation, or remove it",
                           spec_->networks[n].name, output.name)));
  if (!unused.empty()) throw InputError(std::move(unused));
}

const BoundRegularizer* BoundModel::find_regularizer(const std::string& name) const {
  for (const BoundRegularizer& regularizer : regularizers)
    if (regularizer.name == name) return &regularizer;
  return nullptr;
}

bool BoundModel::has_data_terms() const {
  return std::ranges::any_of(terms, [](const MeanTerm& term) { return term.over == MeanOver::data; });
}

std::shared_ptr<const BoundModel> bind_model(std::shared_ptr<const ModelSpec> spec,
                                             const std::vector<std::string>* data_columns,
                                             const std::vector<ExtraRegularizer>& extra) {
  return Binder(std::move(spec), data_columns).bind(extra);
}

}  // namespace greybox
