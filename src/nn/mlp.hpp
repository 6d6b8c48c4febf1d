// Fully connected network: hidden layers with one activation, a linear last layer.
#pragma once

#include "nn/network.hpp"

namespace greybox {

struct MlpOptions {
  std::size_t n_inputs = 0;
  std::vector<std::size_t> hidden = {};
  std::size_t n_outputs = 0;
  Activation activation = Activation::leaky_relu;
  std::vector<bool> is_static = {};  // per input: constant along a trajectory; empty for none
  // Per input: 1 where outputs increase with it, -1 where they decrease, else 0; empty for none. Weights on
  // the way from such inputs count by their absolute values.
  std::vector<int> signs = {};
};

template <class T>
std::unique_ptr<Network<T>> make_mlp(const MlpOptions& options);

extern template std::unique_ptr<Network<float>> make_mlp(const MlpOptions&);
extern template std::unique_ptr<Network<double>> make_mlp(const MlpOptions&);

}  // namespace greybox
