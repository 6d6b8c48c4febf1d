// Checks that the tables of a model file fit together.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "language/lexer_characters.hpp"
#include "model/spec_reader.hpp"

namespace greybox {

namespace {

template <class Item>
std::vector<std::string> names_of(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

// Every name on the left of `equations` must be one of `allowed`.
void check_left_sides(const std::vector<Equation>& equations, const std::vector<std::string>& allowed,
                      std::string_view table, std::string_view what, FileMistakes& mistakes) {
  const std::unordered_set<std::string> known(allowed.begin(), allowed.end());
  for (const Equation& equation : equations)
    if (!known.contains(equation.name))
      mistakes.add(
          equation.name_span, fmt::format("`{}` in [{}] is not a {}", equation.name, table, what),
          mistakes.suggest(equation.name, allowed,
                           allowed.empty() ? fmt::format("there is no {}", what)
                                           : fmt::format("each line there belongs to a {0}; add the {0} or "
                                                         "remove the line",
                                                         what)));
}

void check_tables(const ModelSpec& spec, FileMistakes& mistakes) {
  if (spec.theory.empty() && spec.is_algebraic())
    mistakes.add({}, "the table [theory] is missing",
                 "add [theory] with what is known of the system, such as y = \"a * x\"");
  if (spec.theory.empty() && !spec.is_algebraic())
    mistakes.add(spec.state.front().name_span, "there is a [state] but no [theory]",
                 "add [theory] with the time derivative of every state; \"0\" where nothing is known");
  if (spec.observe.empty() && !spec.is_algebraic())
    mistakes.add(spec.state.front().name_span, "there is a [state] but no [observe]",
                 "add [observe] with what is compared with each column of the data");
  if (spec.solver.is_given && spec.is_algebraic())
    mistakes.add(spec.solver.span, "there is a [solver] but no [state]",
                 "add [state] with initial values, or remove [solver]: without a state nothing is solved");
}

void check_dynamics(const ModelSpec& spec, FileMistakes& mistakes) {
  if (spec.is_algebraic()) return;
  const std::vector<std::string> states = names_of(spec.state);
  check_left_sides(spec.theory, states, "theory", "state", mistakes);
  check_left_sides(spec.data_driven, states, "data_driven", "state", mistakes);
  check_left_sides(spec.composition, states, "composition", "state", mistakes);
  const std::vector<std::string> given = names_of(spec.theory);
  const std::unordered_set<std::string> derived(given.begin(), given.end());
  for (const Equation& state : spec.state)
    if (!derived.contains(state.name) && !derived.empty())
      mistakes.add(state.name_span, fmt::format("the state `{}` has no equation in [theory]", state.name),
                   fmt::format("add {} = \"…\" there; \"0\" where nothing is known", state.name));
}

void check_networks(const ModelSpec& spec, FileMistakes& mistakes) {
  const bool is_adaptive = !spec.is_algebraic() && spec.solver.options.tableau->is_adaptive();
  for (const NetworkSpec& network : spec.networks) {
    if (network.is_on_fields() && !spec.grid.is_given)
      mistakes.add(network.span,
                   fmt::format("the network `{}` works on fields, and there is no [grid]", network.name),
                   "add [grid] with height and width, or choose kind = \"mlp\"");
    if (network.kind->needs_line && spec.grid.is_given && !spec.grid.is_line())
      mistakes.add(network.span,
                   fmt::format("{} works on a grid of one row, and [grid] has {}", network.kind->noun,
                               spec.grid.grid.height),
                   "choose kind = \"conv2d\", or leave out the height of [grid]");
    const std::optional<Coupling> coupling = network.kind->coupling(network.settings);
    if (coupling && is_adaptive)
      mistakes.add(
          network.span,
          fmt::format("the {} of `{}` needs a solver with fixed steps", coupling->cause, network.name),
          fmt::format("{} gives every sample its own steps; choose a method such as rk4, or {}",
                      spec.solver.options.tableau->name, coupling->alternatives.front()));
  }
}

// A polynomial needs more snapshots than it has powers of time above the constant.
void check_starts(const ModelSpec& spec, FileMistakes& mistakes) {
  for (std::size_t s = 0; s < spec.starts.size(); ++s) {
    if (spec.starts[s].kind != StartKind::smooth) continue;
    const std::size_t observed = spec.data.window.observed, order = spec.starts[s].order;
    if (observed > std::max<std::size_t>(order, 1)) continue;
    mistakes.add(
        spec.state[s].name_span,
        fmt::format("the start of `{}` is smoothed over {} observed snapshot{}, too few for order {}",
                    spec.state[s].name, observed, observed == 1 ? "" : "s", order),
        fmt::format("set window = {{ observed = {} }} or more in [data]",
                    std::max<std::size_t>(order, 1) + 1));
  }
}

// A dense Jacobian of every grid point with every other is out of reach.
void check_solver(const ModelSpec& spec, FileMistakes& mistakes) {
  if (spec.is_algebraic() || !spec.grid.is_given || !spec.solver.options.tableau->is_implicit()) return;
  mistakes.add(
      spec.solver.span,
      fmt::format("{} solves for every entry of the state at once, and a [grid] has too many of them",
                  spec.solver.options.tableau->name),
      "choose a method such as tsit5, which takes short steps where equations are stiff");
}

// Boluses act on states.
void check_inputs(const ModelSpec& spec, FileMistakes& mistakes) {
  const std::vector<std::string> states = names_of(spec.state);
  for (std::size_t j = 0; j < spec.inputs.size(); ++j) {
    const SignalSpec& signal = spec.signals[j];
    if (signal.hold != Hold::bolus || signal.into.empty()) continue;
    if (spec.is_algebraic())
      mistakes.add(signal.into_span,
                   fmt::format("the input `{}` is a bolus, and there is no [state]", spec.inputs[j].name),
                   "add [state], or choose another `hold`");
    else if (std::ranges::find(states, signal.into) == states.end())
      mistakes.add(
          signal.into_span, fmt::format("there is no state `{}` for a bolus to act on", signal.into),
          mistakes.suggest(signal.into, states, fmt::format("the states are {}", fmt::join(states, ", "))));
  }
}

// Names in [scales] are those of states and of what is observed.
void check_scales(const ModelSpec& spec, FileMistakes& mistakes) {
  std::vector<std::string> known = names_of(spec.is_algebraic() ? spec.theory : spec.state);
  for (const Equation& observed : spec.observe)
    if (std::ranges::find(known, observed.name) == known.end()) known.push_back(observed.name);
  for (const GivenScale& given : spec.given_scales)
    if (std::ranges::find(known, given.name) == known.end())
      mistakes.add(given.name_span,
                   fmt::format("`{}` in [scales] is neither a state nor observed", given.name),
                   mistakes.suggest(given.name, known,
                                    fmt::format("[scales] may have {}; networks have `input_scale` and "
                                                "`output_scale` of their own",
                                                fmt::join(known, ", "))));
}

// An expression is left to the binder; a single name can be looked up here.
void check_trained_regularizer(const ModelSpec& spec, FileMistakes& mistakes) {
  const std::string& name = spec.train.regularizer;
  const std::vector<std::string> known = names_of(spec.regularizers);
  if (!is_identifier(name) || std::ranges::find(known, name) != known.end()) return;
  mistakes.add(
      spec.train.regularizer_span, fmt::format("there is no regularizer `{}`", name),
      mistakes.suggest(name, known,
                       known.empty() ? "add it to [regularizers]"
                                     : fmt::format("[regularizers] has {}", fmt::join(known, ", "))));
}

}  // namespace

void settle_precision(ModelSpec& spec, FileMistakes& mistakes) {
  const SolverSpec& solver = spec.solver;
  if (spec.is_algebraic() || !(solver.is_automatic || solver.options.tableau->is_implicit())) return;
  if (spec.train.is_precision_given && spec.train.precision == Precision::single_)
    mistakes.add(spec.train.precision_span,
                 fmt::format("{} computes in double precision",
                             solver.is_automatic ? "method = \"auto\"" : solver.options.tableau->name),
                 "remove `precision`, or set precision = \"double\"");
  spec.train.precision = Precision::double_;
}

void check_structure(const ModelSpec& spec, FileMistakes& mistakes) {
  check_tables(spec, mistakes);
  check_dynamics(spec, mistakes);
  check_left_sides(spec.estimator, names_of(spec.parameters), "estimator", "parameter", mistakes);
  check_networks(spec, mistakes);
  check_starts(spec, mistakes);
  check_solver(spec, mistakes);
  check_inputs(spec, mistakes);
  check_scales(spec, mistakes);
  check_trained_regularizer(spec, mistakes);
}

}  // namespace greybox
