// Fully connected network that another network makes anew for every sample, from some of the inputs.
#pragma once

#include <cstdint>

#include "nn/network.hpp"

namespace greybox {

// What is made: a scale and a shift of every hidden unit's sum (FiLM), or what is added to every weight and
// bias.
enum class MadeWeights : std::uint8_t { scales_and_shifts, all };

struct ConditionedMlpOptions {
  // Conditions are the last of the inputs.
  std::size_t n_inputs = 0, n_conditions = 0;
  std::vector<std::size_t> hidden = {};
  std::size_t n_outputs = 0;
  Activation activation = Activation::leaky_relu;
  MadeWeights made = MadeWeights::scales_and_shifts;
  // Hidden units of the network that makes them.
  std::size_t n_made_by = 1;
  // Per input; empty for none. Where all conditions are, weights are made once for all evaluations of a
  // sample.
  std::vector<bool> is_static = {};
};

template <class T>
std::unique_ptr<Network<T>> make_conditioned_mlp(const ConditionedMlpOptions& options);

extern template std::unique_ptr<Network<float>> make_conditioned_mlp(const ConditionedMlpOptions&);
extern template std::unique_ptr<Network<double>> make_conditioned_mlp(const ConditionedMlpOptions&);

}  // namespace greybox
