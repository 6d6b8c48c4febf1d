// Convolutional network on fields of a grid or a line: (convolution, norm, activation) per hidden layer, then
// a convolution.
#pragma once

#include "nn/network.hpp"
#include "nn/norm.hpp"
#include "nn/padding.hpp"

namespace greybox {

struct Conv2dOptions {
  std::size_t n_inputs = 0;           // fields in
  std::vector<std::size_t> channels;  // of the hidden layers
  std::size_t n_outputs = 0;          // fields out
  std::size_t kernel = 3;             // odd
  Padding padding = Padding::replicate;
  Norm norm = Norm::none;  // after each hidden convolution, before the activation
  Activation activation = Activation::leaky_relu;
  std::size_t height = 0;
  std::size_t width = 0;
  // Kernels have one row, and so have the fields.
  bool is_line = false;
};

// Weights: "0.weight" (out × in × kernel × kernel; on a line out × in × kernel) and "0.bias", with batch norm
// also "0.norm.weight" and "0.norm.bias", and so on for every layer; the last one has no norm. Batch norm
// takes the statistics of the batch at hand, in training and prediction alike, and runs in one phase per
// layer; the phase given to a join is the one that has just run. Throws std::invalid_argument for sizes that
// make no network.
template <class T>
std::unique_ptr<Network<T>> make_conv2d(const Conv2dOptions& options);

extern template std::unique_ptr<Network<float>> make_conv2d(const Conv2dOptions&);
extern template std::unique_ptr<Network<double>> make_conv2d(const Conv2dOptions&);

}  // namespace greybox
