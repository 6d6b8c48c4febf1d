// Constraints on networks, as expressions of what the networks give.
#include <algorithm>
#include <cmath>

#include "model/binder.hpp"

namespace greybox {
namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t item) {
  return std::ranges::find(list, item) != list.end();
}

}  // namespace

// The network once more where some inputs have the other sign, or are zero. Before the inputs are scaled.
void Binder::add_twin(std::size_t network) {
  const BoundNetwork original = model_->networks[network];
  const NetworkConstraints& constraints = original.spec->constraints;
  std::vector<std::size_t> flipped = constraints.odd;
  flipped.insert(flipped.end(), constraints.even.begin(), constraints.even.end());
  if (flipped.empty() && constraints.zero_at_zero.empty()) return;
  BoundNetwork twin = original;
  twin.twin_of = network;
  for (std::size_t i = 0; i < twin.inputs.size(); ++i) {
    if (contains(flipped, twin.input_of[i]))
      twin.inputs[i] = graph().apply(Operation::negate, {twin.inputs[i]});
    else if (contains(constraints.zero_at_zero, twin.input_of[i]))
      twin.inputs[i] = graph().constant(0);
  }
  twins_[network] = model_->networks.size();
  model_->networks.push_back(std::move(twin));
  scale_inputs(*twins_[network]);
  add_output_leaves(*twins_[network]);
}

NodeId Binder::own_output(std::size_t network, std::size_t output) {
  const NodeId raw = model_->networks[network].outputs[output];
  if (!twins_[network]) return raw;
  const NodeId other = model_->networks[*twins_[network]].outputs[output];
  const NetworkConstraints& constraints = model_->networks[network].spec->constraints;
  if (constraints.even.empty() && constraints.odd.empty())
    return graph().apply(Operation::subtract, {raw, other});
  const Operation join = constraints.even.empty() ? Operation::subtract : Operation::add;
  return graph().apply(Operation::multiply, {graph().constant(0.5), graph().apply(join, {raw, other})});
}

// A network that gives 0 lies in the middle of its bounds, or at 0 where that is between them.
NodeId Binder::shaped_output(std::size_t network, std::size_t output) {
  const NetworkConstraints& constraints = model_->networks[network].spec->constraints;
  NodeId value = own_output(network, output);
  if (!constraints.bounds) {
    if (constraints.is_positive) value = graph().apply(Operation::softplus, {value});
    return scaled(network, output, value);
  }
  const auto [low, high] = *constraints.bounds;
  const double shift = low < 0 && high > 0 ? std::log(-low / high) : 0;
  if (shift != 0) value = graph().apply(Operation::add, {value, graph().constant(shift)});
  value = graph().apply(Operation::sigmoid, {value});
  value = graph().apply(Operation::multiply, {graph().constant(high - low), value});
  return low == 0 ? value : graph().apply(Operation::add, {value, graph().constant(low)});
}

NodeId Binder::constrained_output(std::size_t network, std::size_t output) {
  const BoundNetwork& bound = model_->networks[network];
  const NodeId value = shaped_output(network, output);
  if (!bound.spec->constraints.sums_to_zero) return value;
  const std::size_t n = bound.outputs.size();
  NodeId sum = shaped_output(network, 0);
  for (std::size_t o = 1; o < n; ++o) sum = graph().apply(Operation::add, {sum, shaped_output(network, o)});
  const NodeId mean = graph().apply(Operation::multiply, {graph().constant(1 / static_cast<double>(n)), sum});
  return graph().apply(Operation::subtract, {value, mean});
}

}  // namespace greybox
