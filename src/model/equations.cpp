// The equations of a model for a reader: as written, and as LaTeX.
#include <fmt/format.h>

#include <functional>

#include "greybox/model.hpp"
#include "model/spec.hpp"

namespace greybox {
namespace {

using LeftSide = std::function<std::string(const std::string&)>;

void add_section(std::vector<EquationInfo>& list, const char* section, const std::vector<Equation>& equations,
                 const LeftSide& left) {
  for (const Equation& equation : equations)
    list.push_back({section, equation.name, equation.text,
                    fmt::format("{} = {}", left(name_to_latex(equation.name)), to_latex(*equation.syntax))});
}

// A learned start with its standard number z, of which the file says the prior alone.
std::string start_text(const Equation& mean, const StartSpec& start) {
  if (start.kind != StartKind::learned) return mean.text;
  if (start.prior == PriorKind::uniform)
    return fmt::format("{} + {} * sigmoid(z)", start.low, start.high - start.low);
  const std::string sum = fmt::format("({}) + {} * z", mean.text, start.sd);
  return start.prior == PriorKind::lognormal ? fmt::format("exp({})", sum) : sum;
}

void add_starts(std::vector<EquationInfo>& list, const ModelSpec& spec) {
  for (std::size_t s = 0; s < spec.state.size(); ++s) {
    const Equation& equation = spec.state[s];
    const std::string text = start_text(equation, s < spec.starts.size() ? spec.starts[s] : StartSpec{});
    const SyntaxPtr syntax = text == equation.text ? nullptr : parse_equation(text);
    list.push_back({"state", equation.name, text,
                    fmt::format("{}(0) = {}", name_to_latex(equation.name),
                                to_latex(syntax ? *syntax : *equation.syntax))});
  }
}

void add_latents(std::vector<EquationInfo>& list, const ModelSpec& spec) {
  for (const LatentSpec& latent : spec.latents) {
    const std::string text = distribution_of(latent);
    list.push_back({"latent", latent.name, text,
                    fmt::format("{} = {}", name_to_latex(latent.name), to_latex(*parse_equation(text)))});
  }
}

// The sum that holds where the model has no [composition].
void add_sum(std::vector<EquationInfo>& list, const ModelSpec& spec, const LeftSide& left) {
  for (const Equation& equation : spec.theory) {
    const std::string name = name_to_latex(equation.name);
    list.push_back({"composition", equation.name, "theory + network",
                    fmt::format("{} = f_{{T,{}}} + f_{{D,{}}}", left(name), name, name)});
  }
}

LeftSide part(const char* letter) {
  return [letter](const std::string& name) { return fmt::format("f_{{{},{}}}", letter, name); };
}

}  // namespace

std::vector<EquationInfo> Model::equations() const {
  const ModelSpec& spec = *spec_;
  const LeftSide plain = [](const std::string& name) { return name; };
  const LeftSide rate = [&](const std::string& name) {
    return spec.is_algebraic() ? name : fmt::format("\\frac{{d {}}}{{dt}}", name);
  };
  std::vector<EquationInfo> list;
  add_section(list, "inputs", spec.inputs, plain);
  add_section(list, "define", spec.definitions, plain);
  add_starts(list, spec);
  add_latents(list, spec);
  add_section(list, "theory", spec.theory, part("T"));
  add_section(list, "data_driven", spec.data_driven, part("D"));
  add_section(list, "composition", spec.composition, rate);
  if (spec.composition.empty()) add_sum(list, spec, rate);
  add_section(list, "observe", spec.observe, plain);
  add_section(list, "estimator", spec.estimator, plain);
  add_section(list, "regularizers", spec.regularizers, plain);
  return list;
}

}  // namespace greybox
