// The noise of observed variables: its parameters as numbers or nodes of the graph.
#include <fmt/format.h>

#include "model/binder.hpp"
#include "model/reachable.hpp"
#include "model/settled_scales.hpp"

namespace greybox {

// Only where mistakes in [observe] did not leave some variables out.
void Binder::bind_noise() {
  if (spec_->noise.empty() || model_->observed.size() != spec_->noise.size()) return;
  for (std::size_t o = 0; o < spec_->noise.size(); ++o)
    guarded([&] {
      const NoiseSpec& spec = spec_->noise[o];
      Observed& observed = model_->observed[o];
      BoundNoise noise{.family = &family_of(spec.kind),
                       .df = spec.df,
                       .spread = spec.spread,
                       .is_estimated = spec.is_estimated};
      if (spec.equation) noise.node = spread_node(*spec.equation, observed);
      if (spec.is_estimated && spec_->scales) noise.spread = scale_in(spec_->scales->noise, spec.name);
      observed.noise = noise;
    });
}

NodeId Binder::spread_node(const Equation& equation, const Observed& observed) {
  noisy_ = &observed;
  NodeId node = 0;
  try {
    node = scalar_or_field(*equation.syntax, equation, Context::observe);
  } catch (...) {
    noisy_ = nullptr;
    throw;
  }
  noisy_ = nullptr;
  if (reaches_leaf(*model_, node, [&](const LeafRef& ref) {
        return ref.kind == LeafKind::network_output && model_->networks[ref.index].rate == Rate::evaluation;
      }))
    fail(equation, equation.syntax->range, "noise cannot use a network that runs along the trajectory",
         "use `predicted`, states, inputs or parameters");
  return as_shape(node, model_->graph[observed.value].shape, equation);
}

// In the equations of noise, what is observed is known as it is predicted.
std::optional<Value> Binder::predicted_name(const std::string& name) const {
  if (noisy_ == nullptr) return std::nullopt;
  if (name == "predicted") return Value{{noisy_->value}};
  for (const Observed& observed : model_->observed)
    if (observed.name == name) return Value{{observed.value}};
  return std::nullopt;
}

}  // namespace greybox
