// Names → what they stand for, and what was probably meant when they stand for nothing.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/name_list.hpp"
#include "core/nearest_name.hpp"
#include "model/binder.hpp"
#include "model/row_shape.hpp"

namespace greybox {
namespace {

// `network.fD.push` may have been meant by `push`.
std::string network_output_of(const std::string& tail) {
  return tail.substr(tail.rfind('.') + 1);
}

template <class Items>
std::optional<std::size_t> position_of(const Items& items, const std::string& name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return i;
  return std::nullopt;
}

// A known name with what it is and where it was introduced, for "did you mean".
struct Known {
  std::string name, what;
  SourceSpan span;
};

template <class Items>
void add_known(std::vector<Known>& known, const Items& items, const std::string& what) {
  for (const auto& item : items) {
    if constexpr (requires { item.name_span; })
      known.push_back({item.name, what, item.name_span});
    else
      known.push_back({item.name, what, item.span});
  }
}

}  // namespace

NodeId Binder::leaf(LeafKind kind, std::size_t index, std::size_t position, Shape shape, Rate rate,
                    std::size_t section) {
  const LeafRef wanted{kind, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(position)};
  auto& leaves = model_->leaves;
  const auto same = [&](const LeafRef& ref) {
    return ref.kind == wanted.kind && ref.index == wanted.index && ref.position == wanted.position;
  };
  auto found = std::find_if(leaves.begin(), leaves.end(), same);
  if (found == leaves.end()) found = leaves.insert(leaves.end(), wanted);
  return model_->graph.leaf(
      {static_cast<std::uint32_t>(found - leaves.begin()), shape, rate, static_cast<std::uint8_t>(section)});
}

bool Binder::is_column(const std::string& name) const {
  if (position_of(spec_->data.columns, name)) return true;
  if (data_columns_ == nullptr) return true;  // the data could not be read: nobody can tell
  return std::find(data_columns_->begin(), data_columns_->end(), name) != data_columns_->end();
}

Shape Binder::column_shape(const std::string& name) const {
  if (!spec_->grid.is_given) return Shape::scalar;
  const auto& fields = spec_->grid.fields;
  const auto& scalars = spec_->grid.scalars;
  const bool is_field = fields.empty() ? std::find(scalars.begin(), scalars.end(), name) == scalars.end()
                                       : std::find(fields.begin(), fields.end(), name) != fields.end();
  return is_field ? Shape::field : Shape::scalar;
}

// Inputs may read those before them.
Shape Binder::input_shape(const Equation& input) const {
  const bool is_known = data_columns_ != nullptr || !spec_->grid.fields.empty();
  return row_shape(*input.syntax, [&](const std::string& name) {
    if (spec_->coordinate(name)) return true;
    if (name == "t" || name == "pi" || name == "clock") return false;
    for (const Equation& before : spec_->inputs) {
      if (&before == &input) break;
      if (before.name == name && name != input.name) return input_shape(before) == Shape::field;
    }
    return is_known && column_shape(name) == Shape::field;
  });
}

std::size_t Binder::column(const std::string& name) {
  for (std::size_t c = 0; c < model_->columns.size(); ++c)
    if (model_->columns[c].name == name && !model_->columns[c].is_input) return c;
  model_->columns.push_back({name, column_shape(name)});
  return model_->columns.size() - 1;
}

Value Binder::name(const Syntax& syntax, const Equation& equation, Context context) {
  if (syntax.text.find('.') != std::string::npos) return dotted_name(syntax, equation, context);
  if (auto value = plain_name(syntax.text, syntax, equation, context)) return *value;
  if (auto value = predicted_name(syntax.text)) return *value;
  unknown_name(syntax, equation, context);
}

std::optional<Value> Binder::plain_name(const std::string& name, const Syntax& syntax,
                                        const Equation& equation, Context context) {
  if (name == "pi") return Value{{model_->graph.constant(std::numbers::pi)}};
  if (name == "window" && context != Context::estimator) return Value{window_values(nullptr), true};
  if (const auto network = position_of(spec_->networks, name)) {
    Value all{{}, true};
    for (const OutputSpec& output : spec_->networks[*network].outputs)
      for (NodeId part : network_output(*network, output.name, syntax, equation, context).parts)
        all.parts.push_back(part);
    return all;
  }
  if (context == Context::estimator) {
    // The window of an algebraic model holds its answers alone, so that its inputs are read by name.
    const bool is_input = spec_->is_algebraic() && is_column(name) && !position_of(model_->states, name);
    if (!is_input) return std::nullopt;
    return Value{{leaf(LeafKind::snapshot, column(name), 0, column_shape(name), Rate::sample)}};
  }
  if (const auto p = position_of(spec_->parameters, name))
    return Value{{leaf(LeafKind::parameter, *p, 0, Shape::scalar, Rate::sample)}};
  if (const auto operation = spec_->coordinate(name)) return Value{{coordinate(*operation)}};
  if (name == "t0") return Value{{leaf(LeafKind::start_time, 0, 0, Shape::scalar, Rate::sample)}};
  if (context == Context::initial && is_clock(name) && !definitions_.contains(name))
    return Value{{leaf(LeafKind::start_time, 0, 0, Shape::scalar, Rate::sample)}};
  if (context == Context::initial && name != "t" && is_column(name) && !definitions_.contains(name))
    return Value{{leaf(LeafKind::snapshot, column(name), 0, column_shape(name), Rate::sample)}};
  if (std::optional<Value> latent = latent_name(name)) return latent;
  if (const auto definition = definitions_.find(name); definition != definitions_.end())
    return demand(definition->second, Context::model, fmt::format("the definition of `{}`", name));
  if (context == Context::initial) return std::nullopt;

  if (name == "t") return Value{{leaf(LeafKind::time, 0, 0, Shape::scalar, Rate::evaluation)}};
  if (const auto input = position_of(spec_->inputs, name)) {
    if (spec_->signals[*input].hold == Hold::bolus)
      fail(equation, syntax.range, fmt::format("`{}` is a bolus, which has no value at a time", name),
           fmt::format("it acts on `{}` by itself; for a rate that lasts, choose another `hold`",
                       spec_->signals[*input].into));
    return Value{{leaf(LeafKind::input, *input, 0, model_->columns[model_->input_columns[*input]].shape,
                       Rate::evaluation)}};
  }
  const auto state = position_of(model_->states, name);
  if (state && (!spec_->is_algebraic() || context == Context::observe))
    return Value{{leaf(LeafKind::state, *state, 0, model_->states[*state].shape, Rate::evaluation)}};
  if (name == "theory" || name == "network") {
    if (context == Context::observe)
      fail(equation, syntax.range,
           fmt::format("`{}` is a part of the equations of motion, not of what is observed", name),
           "write what is observed in terms of the states");
    Value vector{{}, true};
    for (std::size_t s = 0; s < model_->states.size(); ++s)
      vector.parts.push_back(name == "theory" ? theory_part(s) : network_part(s));
    vector.weights = state_weights();
    return vector;
  }
  if (state)
    fail(equation, syntax.range,
         fmt::format("`{}` is what the model predicts, so it cannot be an input of its own", name),
         "use other columns of the data, or `theory." + name + "`");
  if (spec_->is_algebraic() && context == Context::model && is_column(name) && !is_clock(name))
    return Value{{leaf(LeafKind::row, column(name), 0, column_shape(name), Rate::evaluation)}};
  if (!is_clock(name)) return std::nullopt;
  const NodeId start = leaf(LeafKind::start_time, 0, 0, Shape::scalar, Rate::sample);
  const NodeId since = leaf(LeafKind::time, 0, 0, Shape::scalar, Rate::evaluation);
  return Value{{model_->graph.apply(Operation::add, {start, since})}};
}

// The time of the file, unless the data have a column of that name.
bool Binder::is_clock(const std::string& name) const {
  return name == "clock" && (data_columns_ == nullptr || !is_column(name));
}

Value Binder::dotted_name(const Syntax& syntax, const Equation& equation, Context context) {
  const std::size_t dot = syntax.text.find('.');
  const std::string head = syntax.text.substr(0, dot), tail = syntax.text.substr(dot + 1);
  if (const auto network = position_of(spec_->networks, head))
    return network_output(*network, tail, syntax, equation, context);
  if (head == "window" && context != Context::estimator)
    return {window_values(syntax, equation, nullptr), true};
  if (const auto latent = position_of(spec_->latents, head))
    return latent_moment(*latent, tail, syntax, equation);
  if (head != "theory" && head != "network") unknown_name(syntax, equation, context);
  if (context != Context::model)
    fail(equation, syntax.range, fmt::format("`{}` is not known here", syntax.text),
         "theory and network are parts of the equations of motion; they can be used in [network], "
         "[data_driven], "
         "[composition] and [regularizers]");
  const auto state = position_of(model_->states, tail);
  if (!state) {
    std::vector<std::string> names;
    for (const BoundState& known : model_->states) names.push_back(known.name);
    const auto near = nearest_name(tail, names);
    for (const NetworkSpec& network : spec_->networks)
      if (head == "network" && std::ranges::find(network.outputs, network_output_of(tail),
                                                 &OutputSpec::name) != network.outputs.end())
        fail(equation, syntax.range, fmt::format("`{}` has no component `{}`", head, tail),
             fmt::format("the output of the network is called `{}.{}`", network.name,
                         network_output_of(tail)));
    fail(equation, syntax.range, fmt::format("`{}` has no component `{}`", head, tail),
         near ? fmt::format("did you mean `{}.{}`?", head, *near)
              : fmt::format("its components are {}", fmt::join(names, ", ")));
  }
  return {{head == "theory" ? theory_part(*state) : network_part(*state)}};
}

Value Binder::network_output(std::size_t network, const std::string& output, const Syntax& syntax,
                             const Equation& equation, Context context) {
  const NetworkSpec& spec = spec_->networks[network];
  bind_network(network, &syntax, &equation, context);
  std::size_t first = 0;
  std::vector<std::string> names;
  for (const OutputSpec& candidate : spec.outputs) {
    names.push_back(candidate.name);
    if (candidate.name != output) {
      first += candidate.count;
      continue;
    }
    used_outputs_[network].insert(output);
    Value value{{}, candidate.is_vector};
    for (std::size_t i = first; i < first + candidate.count; ++i)
      value.parts.push_back(constrained_output(network, i));
    return value;
  }
  const auto near = nearest_name(output, names);
  fail(equation, syntax.range, fmt::format("network `{}` has no output `{}`", spec.name, output),
       near ? fmt::format("did you mean `{}.{}`?", spec.name, *near)
            : fmt::format("its outputs are {}", fmt::join(names, ", ")));
}

// What to do about a name that means nothing here and resembles nothing that does.
std::string Binder::advice_on(const std::string& name, Context context) const {
  if (context == Context::estimator) return "only networks that read the window can be used in [estimator]";
  if (context == Context::initial && name == "t")
    return "time starts with the window; `t0` is the clock time of its first snapshot";
  if (name == "y" && spec_->grid.is_line()) return "the [grid] has one row: its points have an `x` alone";
  const bool reads_columns = context == Context::initial || spec_->is_algebraic();
  if (data_columns_ != nullptr && reads_columns)
    return fmt::format("the data have the columns {}; parameters and definitions can be used too",
                       name_list(*data_columns_));
  if (data_columns_ != nullptr && is_column(name))
    return "it is a column of the data: use it in [state] for an initial value, or make it an input in "
           "[inputs]";
  return "introduce it in [parameters], [state], [inputs] or [define]";
}

void Binder::unknown_name(const Syntax& syntax, const Equation& equation, Context context) const {
  std::vector<Known> known;
  add_known(known, spec_->networks, "a network");
  if (context != Context::estimator) {
    add_known(known, spec_->parameters, "a parameter");
    add_known(known, spec_->latents, "a latent");
    add_known(known, spec_->definitions, "a definition");
  }
  if (context == Context::model || context == Context::observe) {
    add_known(known, spec_->state, "a state");
    add_known(known, spec_->inputs, "an input");
    add_known(known, spec_->regularizers, "a regularizer");
    for (const char* word : {"theory", "network", "t", "pi"}) known.push_back({word, "", {}});
    if (noisy_ != nullptr) known.push_back({"predicted", "", {}});
  }
  if (data_columns_ != nullptr && (context == Context::initial || spec_->is_algebraic()))
    for (const std::string& column : *data_columns_) known.push_back({column, "a column of the data", {}});
  std::erase_if(known, [&](const Known& item) { return item.name == syntax.text; });

  std::vector<std::string> names;
  for (const Known& item : known) names.push_back(item.name);
  std::string help = advice_on(syntax.text, context);
  if (syntax.text == "e") help = "write exp(x) for e^x, or introduce it in [parameters] or [define]";
  if (syntax.text == "π") help = "write `pi`";
  if (const auto near = nearest_name(syntax.text, names)) {
    const Known& item =
        *std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.name == *near; });
    help = fmt::format("did you mean `{}`", item.name);
    if (item.span.line > 0)
      help +=
          fmt::format(" ({}, {}:{}:{})", item.what, spec_->source->path, item.span.line, item.span.column);
    else if (!item.what.empty())
      help += fmt::format(" ({})", item.what);
    help += "?";
  }
  const std::string where = equation.where.empty() ? "" : " in " + equation.where;
  fail(equation, syntax.range, fmt::format("unknown name `{}`{}", syntax.text, where), help);
}

}  // namespace greybox
