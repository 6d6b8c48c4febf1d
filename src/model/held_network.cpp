#include "model/held_network.hpp"

#include <algorithm>

namespace greybox {
namespace {

constexpr std::string_view kTheory = "theory", kTheoryPart = "theory.";

const Equation* find(const std::vector<Equation>& equations, std::string_view name) {
  const auto found = std::find_if(equations.begin(), equations.end(),
                                  [&](const Equation& equation) { return equation.name == name; });
  return found == equations.end() ? nullptr : &*found;
}

class Holder {
 public:
  Holder(const ModelSpec& spec, const std::vector<double>& theta) : spec_(spec), theta_(theta) {}

  void hold(Equation& equation) const {
    equation.syntax = std::shared_ptr<const Syntax>(held(*equation.syntax, equation));
  }

  // `theory` among the inputs of a network stands for all of its components.
  std::vector<Equation> held_inputs(const std::vector<Equation>& inputs) const {
    std::vector<Equation> all;
    for (const Equation& input : inputs) {
      if (input.syntax->kind == SyntaxKind::name && input.syntax->text == kTheory) {
        for (const Equation& state : spec_.is_algebraic() ? spec_.theory : spec_.state) {
          all.push_back(*find(spec_.theory, state.name));
          all.back().name.clear();
        }
      } else {
        all.push_back(input);
      }
    }
    for (Equation& input : all) hold(input);
    return all;
  }

 private:
  SyntaxPtr held(const Syntax& syntax, const Equation& equation) const {
    if (syntax.kind == SyntaxKind::name) return held_name(syntax, equation);
    SyntaxPtr copy = without_children(syntax);
    for (const SyntaxPtr& child : syntax.children) copy->children.push_back(held(*child, equation));
    return copy;
  }

  SyntaxPtr held_name(const Syntax& syntax, const Equation& equation) const {
    const std::string_view name = syntax.text;
    for (std::size_t p = 0; p < spec_.parameters.size(); ++p)
      if (name == spec_.parameters[p].name) return number(theta_[p], syntax);
    if (const Equation* definition = find(spec_.definitions, name))
      return held(*definition->syntax, *definition);
    if (name.starts_with(kTheoryPart)) {
      const Equation& part = *find(spec_.theory, name.substr(kTheoryPart.size()));
      return held(*part.syntax, part);
    }
    if (name == kTheory)
      throw InputError(
          at(*spec_.source, equation, syntax.range,
             "a network that depends on `theory` as a whole cannot be held at one θ",
             "name the components that it needs, such as `theory." + spec_.theory[0].name + "`"));
    return without_children(syntax);
  }

  static SyntaxPtr without_children(const Syntax& syntax) {
    return std::make_unique<Syntax>(
        Syntax{syntax.kind, syntax.range, syntax.number, syntax.text, syntax.text_range, syntax.index, {}});
  }
  static SyntaxPtr number(double value, const Syntax& place) {
    return std::make_unique<Syntax>(Syntax{SyntaxKind::number, place.range, value, {}, {}, 0, {}});
  }

  const ModelSpec& spec_;
  const std::vector<double>& theta_;
};

}  // namespace

ModelSpec with_held_network(const ModelSpec& spec, const std::vector<double>& theta) {
  const Holder holder(spec, theta);
  ModelSpec result = spec;
  for (NetworkSpec& network : result.networks) {
    const auto first_condition = network.inputs.end() - static_cast<std::ptrdiff_t>(network.n_conditions);
    const std::vector<Equation> conditions = holder.held_inputs({first_condition, network.inputs.end()});
    network.inputs = holder.held_inputs({network.inputs.begin(), first_condition});
    network.inputs.insert(network.inputs.end(), conditions.begin(), conditions.end());
    network.n_conditions = conditions.size();
  }
  for (Equation& equation : result.data_driven) holder.hold(equation);
  return result;
}

}  // namespace greybox
