// One sample in a convolutional network: where its values lie, and its way forward and backward.
#pragma once

#include <optional>
#include <vector>

#include "nn/conv_layer.hpp"
#include "nn/conv_tape.hpp"
#include "nn/conv_workspace.hpp"
#include "nn/field_rows.hpp"
#include "nn/norm_rows.hpp"

namespace greybox {

// The layers with what they share.
template <class T>
struct ConvStack {
  explicit ConvStack(const Conv2dOptions& options);

  std::size_t n_hidden() const { return layers.size() - 1; }
  std::size_t n_pixels() const { return options.height * options.width; }
  bool is_joined() const { return options.norm == Norm::batch; }  // samples share statistics

  Conv2dOptions options;
  std::vector<ConvLayer<T>> layers;
  const NormRowKernels<T>& kernels;
  std::optional<double> slope;  // of a piecewise linear activation
};

// The evaluation of one sample of a block, kept in `slot`.
template <class T>
struct ConvEvaluation {
  const ConvStack<T>& stack;
  Conv2dTape<T>& tape;
  ConvWorkspace<T>& work;
  std::size_t slot;
  std::size_t sample;

  std::size_t kept() const { return slot * tape.capacity + sample; }
  // The channels of a hidden layer start here in the tape's statistics.
  std::size_t statistics(std::size_t layer) const;
  T* raw(std::size_t layer) const;
  // Makes a strip of a hidden layer's raw results from the image it reads.
  void convolve(std::size_t layer, const Strip& strip, const T* image) const;
  // Row y of the gradient of a hidden layer's normalised values. A strip may write the rows of one layer
  // where it has read those of the next.
  T* grad_normalised(std::size_t y) const;
  std::size_t grad_pitch() const { return tape.grad_size / stack.options.height; }
  // Rows of a hidden layer's raw results from row y, to be normalised; the coefficients' scale must be set.
  RawRows<T> raw_rows(std::size_t layer, std::size_t y, std::size_t n_rows) const;
  void set_scale(std::size_t layer) const;

  // Rows of the sample's fields, beside pixels of an image.
  PixelRows field_rows(const Strip& rows, std::size_t n_fields, const ImageShape& pixels) const;
  // The fields a sample brings, as the first layer's image.
  T* fields() const;
  // The rows of its image that a layer reads for a strip, made from the raw results before it, whose scale
  // must be set. Strips come in their order: each takes over rows from the one before.
  const T* image(std::size_t layer, const Strip& strip) const;

 private:
  // `n_rows` rows of a layer's image, from the raw results in row y on.
  void make_image_rows(std::size_t layer, std::size_t y, std::size_t n_rows, T* rows) const;
};

// Forward through one layer: reads the inputs before the first and writes the outputs after the last. Without
// batch norm a layer's statistics are finished here; with it the sums gather in the tape.
template <class T>
void forward_layer(const ConvEvaluation<T>& at, std::size_t layer, const T* const* inputs, T* const* outputs);

// Backward through one layer: adds to the gradients of its filter, of the norm before it and, in the first,
// of the inputs.
template <class T>
void backward_layer(const ConvEvaluation<T>& at, std::size_t layer, const T* const* grad_outputs,
                    T* const* grad_inputs);

extern template struct ConvStack<float>;
extern template struct ConvStack<double>;
extern template struct ConvEvaluation<float>;
extern template struct ConvEvaluation<double>;
extern template void forward_layer(const ConvEvaluation<float>&, std::size_t, const float* const*,
                                   float* const*);
extern template void forward_layer(const ConvEvaluation<double>&, std::size_t, const double* const*,
                                   double* const*);
extern template void backward_layer(const ConvEvaluation<float>&, std::size_t, const float* const*,
                                    float* const*);
extern template void backward_layer(const ConvEvaluation<double>&, std::size_t, const double* const*,
                                    double* const*);

}  // namespace greybox
