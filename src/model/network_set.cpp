#include "model/network_set.hpp"

#include "nn/conv2d.hpp"
#include "nn/mlp.hpp"

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

template <class T>
std::unique_ptr<Network<T>> make_network(const BoundModel& model, const BoundNetwork& network) {
  const NetworkSpec& spec = *network.spec;
  if (spec.kind == NetworkKind::mlp)
    return make_mlp<T>({.n_inputs = network.inputs.size(),
                        .hidden = spec.hidden,
                        .n_outputs = network.outputs.size(),
                        .activation = spec.activation,
                        .is_static = static_inputs(model, network)});
  return make_conv2d<T>({.n_inputs = network.inputs.size(),
                         .channels = spec.hidden,
                         .n_outputs = network.outputs.size(),
                         .kernel = spec.kernel,
                         .padding = spec.padding,
                         .norm = spec.norm,
                         .activation = spec.activation,
                         .height = model.grid().height,
                         .width = model.grid().width});
}

}  // namespace

template <class T>
NetworkSet<T>::NetworkSet(const BoundModel& model) {
  for (std::size_t n = 0; n < model.networks.size(); ++n) {
    networks_.push_back(make_network<T>(model, model.networks[n]));
    offsets_.push_back(n_weights_);
    for (WeightTensor tensor : networks_.back()->tensors()) {
      tensor.name = model.networks[n].spec->name + "." + tensor.name;
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
