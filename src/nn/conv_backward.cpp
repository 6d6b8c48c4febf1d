// A sample backward through one convolutional layer.
#include <algorithm>
#include <numeric>

#include "nn/activation.hpp"
#include "nn/conv_evaluation.hpp"
#include "nn/field_rows.hpp"

namespace greybox {
namespace {

// The gradient of the outputs as the last layer's delta; its sum is the gradient of the bias.
template <class T>
void load_grad_outputs(const ConvEvaluation<T>& at, const T* const* grad_outputs) {
  const ImageShape shape = at.stack.layers.back().delta();
  ConvLayerTape<T>& values = at.tape.layers.back();
  const std::size_t first = at.sample * at.stack.n_pixels();
  for (std::size_t c = 0; c < shape.stride; ++c) {
    const T* grad = grad_outputs[c] + first;
    values.grad_shift[c] += std::reduce(grad, grad + at.stack.n_pixels(), 0.0);
  }
  for (std::size_t y = 0; y < shape.height; ++y) {
    interleave(shape.width, shape.stride, grad_outputs, first + y * shape.width,
               values.delta.data() + shape.inside(y));
  }
}

// The gradient of a hidden layer's raw results, from that of the normalised ones.
template <class T>
void load_grad_raw(const ConvEvaluation<T>& at, std::size_t layer) {
  const ConvLayer<T>& sizes = at.stack.layers[layer];
  ConvLayerTape<T>& values = at.tape.layers[layer];
  NormCoefficients<T>& coefficients = values.coefficients;
  const ImageShape shape = sizes.delta();
  at.set_scale(layer);
  if (at.stack.options.norm != Norm::none) {
    coefficients.set_adjoint(at.tape.joined, values.inverse_deviation.data() + at.statistics(layer));
  }
  const std::size_t row_size = shape.width * sizes.stride();
  for (std::size_t y = 0; y < shape.height; ++y) {
    at.stack.kernels.denormalise(at.raw_row(layer, y), at.grad_normalised() + y * row_size,
                                 coefficients.tilt.data(), coefficients.offset.data(),
                                 values.delta.data() + shape.inside(y), shape.stride);
  }
  // Nothing but a vector past a row's end ever gets into the border.
  if (shape.stride != sizes.stride()) fill_border(Padding::zero, shape, values.delta.data());
}

// The gradient of the image a layer reads: the adjoint filter over the delta, then the adjoint of the
// padding.
template <class T>
void pull_back(const ConvEvaluation<T>& at, std::size_t layer) {
  const ConvLayer<T>& sizes = at.stack.layers[layer];
  const ImageShape delta = sizes.delta(), image = sizes.grad_image();
  const std::size_t margin = sizes.grad_margin();
  ConvLayerTape<T>& values = at.tape.layers[layer];
  sizes.adjoint().apply(values.delta.data() + margin * (delta.row() + delta.stride),
                        values.grad_image.data() + margin * (image.row() + image.stride),
                        at.tape.scratch.data());
  fold_border(at.stack.options.padding, image, values.grad_image.data());
}

// Multiplies a row of gradients by the derivative of an activation that is not piecewise linear.
template <class T>
void multiply_by_derivative_row(const ConvEvaluation<T>& at, const RawRow<T>& row, T* scratch, T* gradient) {
  const Activation activation = at.stack.options.activation;
  const std::size_t n = row.n_pixels * row.stride;
  at.stack.kernels.activate(row, scratch, row.stride);
  if (!derivative_needs_input(activation)) activate(activation, n, scratch, scratch);
  multiply_by_derivative(activation, n, scratch, gradient);
}

// The gradient of a hidden layer's normalised values, from that of the image made of them.
template <class T>
void deactivate(const ConvEvaluation<T>& at, std::size_t layer) {
  const ImageShape shape = at.stack.layers[layer + 1].grad_image();
  T* grad_image = at.tape.layers[layer + 1].grad_image.data();
  ChannelSums& sums = at.tape.sums;
  if (!at.stack.is_joined()) sums.clear();
  at.set_scale(layer);
  for (std::size_t y = 0; y < shape.height; ++y) {
    const RawRow<T> row = at.raw_row(layer, y);
    T* grad_activated = grad_image + shape.inside(y);
    if (!at.stack.slope)
      multiply_by_derivative_row(at, row, at.tape.layers[layer].results.data(), grad_activated);
    at.stack.kernels.deactivate(row, grad_activated, at.grad_normalised() + y * shape.width * shape.stride,
                                sums.first.data(), sums.second.data());
  }
  sums.count += static_cast<double>(at.stack.n_pixels());
  if (!at.stack.is_joined()) at.tape.finish_gradient(layer, at.statistics(layer));
}

template <class T>
void add_grad_inputs(const ConvEvaluation<T>& at, T* const* grad_inputs) {
  const ImageShape shape = at.stack.layers[0].grad_image();
  const T* image = at.tape.layers[0].grad_image.data();
  for (std::size_t c = 0; c < at.stack.options.n_inputs; ++c) {
    if (!grad_inputs[c]) continue;
    T* grad = grad_inputs[c] + at.sample * at.stack.n_pixels();
    for (std::size_t y = 0; y < shape.height; ++y) {
      const T* row = image + shape.inside(y) + c;
      for (std::size_t x = 0; x < shape.width; ++x) *grad++ += row[x * shape.stride];
    }
  }
}

}  // namespace

template <class T>
void backward_layer(const ConvEvaluation<T>& at, std::size_t layer, const T* const* grad_outputs,
                    T* const* grad_inputs) {
  if (layer == at.stack.n_hidden()) {
    load_grad_outputs(at, grad_outputs);
  } else {
    load_grad_raw(at, layer);
  }
  if (layer == 1 && at.stack.layers[0].is_remade()) at.convolve(0, at.fields());
  if (at.tape.needs_weight_gradient) {
    ConvLayerTape<T>& values = at.tape.layers[layer];
    at.stack.layers[layer].gradient().add(at.image(layer), values.delta.data(), values.grad_filter.data(),
                                          at.tape.scratch.data());
  }
  if (layer > 0) {
    pull_back(at, layer);
    deactivate(at, layer - 1);
  } else if (std::any_of(grad_inputs, grad_inputs + at.stack.options.n_inputs,
                         [](const T* g) { return g; })) {
    pull_back(at, layer);
    add_grad_inputs(at, grad_inputs);
  }
}

template void backward_layer(const ConvEvaluation<float>&, std::size_t, const float* const*, float* const*);
template void backward_layer(const ConvEvaluation<double>&, std::size_t, const double* const*,
                             double* const*);

}  // namespace greybox
