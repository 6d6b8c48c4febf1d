#include "model/network_set.hpp"

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

}  // namespace

NetworkConfig network_config(const BoundModel& model, const BoundNetwork& network) {
  return {.n_inputs = network.inputs.size(),
          .n_outputs = network.outputs.size(),
          .is_static = static_inputs(model, network),
          .height = network.spec->is_on_fields() ? model.grid().height : 1,
          .width = network.spec->is_on_fields() ? model.grid().width : 1,
          .settings = network.spec->settings};
}

template <class T>
NetworkSet<T>::NetworkSet(const BoundModel& model) {
  for (std::size_t n = 0; n < model.networks.size(); ++n) {
    const BoundNetwork& network = model.networks[n];
    networks_.push_back(network.spec->kind->make<T>(network_config(model, network)));
    offsets_.push_back(n_weights_);
    for (WeightTensor tensor : networks_.back()->tensors()) {
      tensor.name = network.spec->name + "." + tensor.name;
      tensor.offset += n_weights_;
      tensors_.push_back({std::move(tensor), n});
    }
    n_weights_ += networks_.back()->n_weights();
  }
}

template <class T>
void NetworkSet<T>::set_weights(std::span<const T> weights) {
  for (std::size_t n = 0; n < networks_.size(); ++n) networks_[n]->set_weights(weights.data() + offsets_[n]);
}

template class NetworkSet<float>;
template class NetworkSet<double>;

}  // namespace greybox
