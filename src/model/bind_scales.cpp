// The scales of networks and states, as constants in the graph around what they scale.
#include <fmt/format.h>

#include <algorithm>

#include "model/binder.hpp"

namespace greybox {

const NetworkScales* Binder::scales_of(std::size_t network) const {
  if (!spec_->scales) return nullptr;
  const auto found = spec_->scales->networks.find(model_->networks[network].spec->name);
  return found != spec_->scales->networks.end() ? &found->second : nullptr;
}

void Binder::check_scales(std::size_t network) const {
  const BoundNetwork& bound = model_->networks[network];
  std::size_t n_outputs = 0;
  for (const OutputSpec& output : bound.spec->outputs) n_outputs += output.count;
  const auto check = [&](const std::vector<double>& scales, const char* key, const char* what,
                         std::size_t n) {
    if (scales.size() == n) return;
    throw InputError(at(*spec_->source, bound.spec->span,
                        fmt::format("`{}` of network `{}` has {} numbers, and the network has {} {}s", key,
                                    bound.spec->name, scales.size(), n, what),
                        fmt::format("give one number for each {}; a vector has several", what)));
  };
  const NetworkScales& given = bound.spec->given_scales;
  const NetworkScales* settled = scales_of(network);
  for (const NetworkScales* scales : {&given, settled}) {
    if (scales == nullptr) continue;
    const bool may_lack = scales == &given;
    if (!may_lack || !scales->input_mean.empty())
      check(scales->input_mean, "input_mean", "input", bound.inputs.size());
    if (!may_lack || !scales->input_scale.empty())
      check(scales->input_scale, "input_scale", "input", bound.inputs.size());
    if (!may_lack || !scales->output_scale.empty())
      check(scales->output_scale, "output_scale", "output", n_outputs);
  }
}

void Binder::scale_inputs(std::size_t network) {
  const NetworkScales* scales = scales_of(network);
  if (scales == nullptr) return;
  std::vector<NodeId>& inputs = model_->networks[network].inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (const double mean = scales->input_mean[i]; mean != 0)
      inputs[i] = graph().apply(Operation::subtract, {inputs[i], graph().constant(mean)});
    if (const double scale = scales->input_scale[i]; scale != 1)
      inputs[i] = graph().apply(Operation::multiply, {graph().constant(1 / scale), inputs[i]});
  }
}

NodeId Binder::scaled(std::size_t network, std::size_t output, NodeId raw) {
  const NetworkScales* scales = scales_of(network);
  if (scales == nullptr || scales->output_scale[output] == 1) return raw;
  return graph().apply(Operation::multiply, {graph().constant(scales->output_scale[output]), raw});
}

std::vector<double> Binder::state_weights() const {
  std::vector<double> weights;
  for (const BoundState& state : model_->states) weights.push_back(1 / (state.scale * state.scale));
  const bool are_all_one = std::ranges::all_of(weights, [](double weight) { return weight == 1; });
  return are_all_one ? std::vector<double>{} : weights;
}

}  // namespace greybox
