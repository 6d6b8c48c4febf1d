#include "model/network_set.hpp"

#include <algorithm>

namespace greybox {
namespace {

// Inputs that stay the same along a trajectory; in an algebraic model there is no trajectory to gain from.
std::vector<bool> static_inputs(const BoundModel& model, const BoundNetwork& network) {
  std::vector<bool> is_static;
  for (NodeId input : network.inputs)
    is_static.push_back(network.rate == Rate::evaluation && !model.is_algebraic() &&
                        model.graph[input].rate < Rate::evaluation);
  return is_static;
}

std::vector<int> signs_of(const BoundNetwork& network) {
  const NetworkConstraints& constraints = network.spec->constraints;
  if (constraints.increasing.empty() && constraints.decreasing.empty()) return {};
  std::vector<int> signs;
  for (std::size_t input : network.input_of)
    signs.push_back(std::ranges::find(constraints.increasing, input) != constraints.increasing.end()   ? 1
                    : std::ranges::find(constraints.decreasing, input) != constraints.decreasing.end() ? -1
                                                                                                       : 0);
  return signs;
}

std::size_t n_conditions_of(const BoundNetwork& network) {
  const std::size_t first = network.spec->inputs.size() - network.spec->n_conditions;
  return static_cast<std::size_t>(
      std::ranges::count_if(network.input_of, [&](std::size_t input) { return input >= first; }));
}

}  // namespace

NetworkConfig network_config(const BoundModel& model, const BoundNetwork& network) {
  return {.n_inputs = network.inputs.size(),
          .n_outputs = network.outputs.size(),
          .is_static = static_inputs(model, network),
          .n_conditions = n_conditions_of(network),
          .height = network.spec->is_on_fields() ? model.grid().height : 1,
          .width = network.spec->is_on_fields() ? model.grid().width : 1,
          .settings = network.spec->settings,
          .signs = signs_of(network)};
}

template <class T>
NetworkSet<T>::NetworkSet(const BoundModel& model) {
  for (std::size_t n = 0; n < model.networks.size(); ++n) {
    const BoundNetwork& network = model.networks[n];
    networks_.push_back(network.spec->kind->make<T>(network_config(model, network)));
    offsets_.push_back(network.twin_of ? offsets_[*network.twin_of] : n_weights_);
    if (network.twin_of) continue;
    for (WeightTensor tensor : networks_.back()->tensors()) {
      tensor.name = network.spec->name + "." + tensor.name;
      tensor.offset += n_weights_;
      tensors_.push_back({std::move(tensor), n});
    }
    n_weights_ += networks_.back()->n_weights();
  }
  start_width_ = model.start_width();
  for (const LearnedStart& start : model.starts) {
    const std::size_t size = start.n_slots * start_width_;
    start_offsets_.push_back(n_weights_);
    start_slots_.push_back(start.n_slots);
    tensors_.push_back({WeightTensor{.name = "start." + model.states[start.state].name,
                                     .shape = {start.n_slots, start_width_},
                                     .offset = n_weights_},
                        0, true});
    n_weights_ += size;
    starts_.resize(starts_.size() + size);
  }
}

template <class T>
void NetworkSet<T>::set_weights(std::span<const T> weights) {
  for (std::size_t n = 0; n < networks_.size(); ++n) networks_[n]->set_weights(weights.data() + offsets_[n]);
  std::copy_n(weights.data() + n_network_weights(), starts_.size(), starts_.begin());
}

template class NetworkSet<float>;
template class NetworkSet<double>;

}  // namespace greybox
