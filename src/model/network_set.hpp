// The networks of a model and their weights: one flat vector, tensors named as in weights.npz.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/bound_model.hpp"
#include "nn/network_kind.hpp"

namespace greybox {

// What a network of the model is made from.
NetworkConfig network_config(const BoundModel& model, const BoundNetwork& network);

// A tensor of the model: its full name ("fD.0.weight") and offset into the flat vector of all weights.
struct ModelTensor {
  WeightTensor tensor;  // offset counts from the start of the flat vector
  std::size_t network = 0;
  // Of no network: the numbers of a learned start, which stand behind the weights of all networks.
  bool is_start = false;
};

template <class T>
class NetworkSet {
 public:
  explicit NetworkSet(const BoundModel& model);

  const Network<T>& operator[](std::size_t network) const { return *networks_[network]; }
  std::size_t size() const { return networks_.size(); }
  std::size_t n_weights() const { return n_weights_; }
  std::size_t offset(std::size_t network) const { return offsets_[network]; }
  const std::vector<ModelTensor>& tensors() const { return tensors_; }

  // Hands the flat vector to the networks' kernels.
  void set_weights(std::span<const T> weights);

  // Weights of the networks alone; behind them stand the numbers of learned starts.
  std::size_t n_network_weights() const { return n_weights_ - starts_.size(); }
  // Of row `slot` of a learned start, or null where the model was settled without that row; and where it
  // stands in the flat vector.
  const T* start(std::size_t which, std::size_t slot) const {
    return slot < start_slots_[which] ? starts_.data() + start_offset(which, slot) - n_network_weights()
                                      : nullptr;
  }
  std::size_t start_offset(std::size_t which, std::size_t slot) const {
    return start_offsets_[which] + slot * start_width_;
  }

 private:
  std::vector<std::unique_ptr<Network<T>>> networks_;
  std::vector<std::size_t> offsets_;
  std::vector<ModelTensor> tensors_;
  std::size_t n_weights_ = 0;
  std::size_t start_width_ = 1;
  std::vector<std::size_t> start_offsets_, start_slots_;
  std::vector<T> starts_;
};

extern template class NetworkSet<float>;
extern template class NetworkSet<double>;

}  // namespace greybox
