// Weights of a model: drawn anew, or read from and written to weights.npz.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "data/npz.hpp"
#include "model/network_set.hpp"

namespace greybox {

// PyTorch's defaults (uniform on ±1/√fan_in), from the counter-based generator: the same for a seed on every
// machine.
std::vector<double> initial_weights(const std::vector<ModelTensor>& tensors, std::uint64_t seed);

// Reads `NETWORK.LAYER.weight`, … into one flat vector. Arrays of other names that start with no network's
// name are ignored (`theta`, optimiser state); missing arrays and wrong shapes throw InputError, all at once.
std::vector<double> read_weights(const std::filesystem::path& file, const std::vector<ModelTensor>& tensors);
struct WeightsFile {
  std::vector<double> weights;
  // Of the file.
  std::string sha256;
};
WeightsFile read_weights_file(const std::filesystem::path& file, const std::vector<ModelTensor>& tensors);

// The arrays of weights.npz.
template <class T>
std::vector<NamedArray> weight_arrays(const std::vector<ModelTensor>& tensors, std::span<const T> weights);

}  // namespace greybox
