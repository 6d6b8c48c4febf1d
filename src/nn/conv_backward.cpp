// A sample backward through one convolutional layer.
#include <algorithm>

#include "nn/activation.hpp"
#include "nn/conv_evaluation.hpp"

namespace greybox {
namespace {

// The sum of the gradient of the outputs is that of the bias.
template <class T>
void add_grad_bias(const ConvEvaluation<T>& at, const T* const* grad_outputs) {
  const std::size_t n = at.stack.n_pixels();
  for (std::size_t c = 0; c < at.stack.options.n_outputs; ++c) {
    const T* grad = grad_outputs[c] + at.sample * n;
    at.tape.layers.back().grad_shift[c] += field_row_kernels<T>().sum(n, grad);
  }
}

// A strip of the gradient of a hidden layer's raw results, from that of the normalised ones.
template <class T>
void load_grad_raw(const ConvEvaluation<T>& at, std::size_t layer, const Strip& strip, T* rows) {
  const ConvLayer<T>& sizes = at.stack.layers[layer];
  const NormCoefficients<T>& coefficients = at.tape.layers[layer].coefficients;
  const ImageShape shape = sizes.delta();
  at.stack.kernels.denormalise(at.raw_rows(layer, strip.first, strip.n_rows), at.grad_normalised(strip.first),
                               at.grad_pitch(), coefficients.tilt.data(), coefficients.offset.data(), rows,
                               {.stride = shape.stride, .pitch = shape.row()});
  if (shape.stride == sizes.stride()) return;
  // Vectors past a row's end got into the border, and into that of the next row.
  const std::size_t border = (shape.is_line ? 1 : 2) * shape.border * shape.stride;
  for (std::size_t y = 0; y < strip.n_rows; ++y)
    std::fill_n(rows + y * shape.row() + shape.width * shape.stride, border, T{0});
}

// The rows of its delta that a layer reads for a strip: above them what the strip before has left, or zeros.
template <class T>
const T* load_delta(const ConvEvaluation<T>& at, std::size_t layer, const Strip& strip,
                    const T* const* grad_outputs) {
  const ImageShape shape = at.stack.layers[layer].delta();
  const Strips& strips = at.stack.layers[layer].strips();
  T* rows = at.work.layers[layer].delta.data();
  const std::size_t border = shape.rim() * shape.row();
  if (strip.first == 0)
    std::fill_n(rows, border, T{0});
  else
    std::copy_n(rows + strips.rows() * shape.row(), border, rows);
  if (layer == at.stack.n_hidden())
    field_row_kernels<T>().interleave(at.field_rows(strip, shape.stride, shape), grad_outputs,
                                      rows + shape.inside(0));
  else
    load_grad_raw(at, layer, strip, rows + shape.inside(0));
  if (strips.is_last(strip)) std::fill_n(rows + border + strip.n_rows * shape.row(), border, T{0});
  return rows;
}

// Rows of the bordered image.
struct BorderedRows {
  std::size_t first, end;
};

// Those whose gradient depends on a strip of results and the strips above, but on none below.
template <class T>
BorderedRows pulled_rows(const ConvLayer<T>& layer, const Strip& strip) {
  const ImageShape image = layer.image();
  const std::size_t end = image.height + 2 * image.rim() - layer.grad_margin_rows();
  return {.first = strip.first == 0 ? layer.grad_margin_rows() : strip.first,
          .end = layer.strips().is_last(strip) ? end : strip.end()};
}

// The gradient of the image a layer reads: the adjoint filter over the delta, then the adjoint of the
// padding.
template <class T>
void pull_back(const ConvEvaluation<T>& at, std::size_t layer, const Strip& strip, const T* delta) {
  const ConvLayer<T>& sizes = at.stack.layers[layer];
  const ImageShape image = sizes.grad_image();
  const std::size_t margin = sizes.grad_margin();
  const BorderedRows rows = pulled_rows(sizes, strip);
  T* grad_image = at.work.layers[layer].grad_image.data();
  sizes.adjoint().apply(
      rows.end - rows.first,
      delta + (rows.first - strip.first) * sizes.delta().row() + margin * sizes.delta().stride,
      grad_image + margin * image.stride, at.work.scratch.data());
  fold_border(at.stack.options.padding, image, rows.first, rows.end, grad_image);
}

// Multiplies a row of gradients by the derivative of an activation that is not piecewise linear.
template <class T>
void multiply_by_derivative_row(const ConvEvaluation<T>& at, const RawRows<T>& row, T* scratch, T* gradient) {
  const Activation activation = at.stack.options.activation;
  const std::size_t n = row.n_pixels * row.stride;
  at.stack.kernels.activate(row, scratch, {.stride = row.stride, .pitch = n});
  if (!derivative_needs_input(activation)) activate(activation, n, scratch, scratch);
  multiply_by_derivative(activation, n, scratch, gradient);
}

// The gradient of a hidden layer's normalised values, from that of the rows of the image made of them.
template <class T>
void deactivate(const ConvEvaluation<T>& at, std::size_t layer, const Strip& rows, T* grad_activated,
                std::size_t pitch) {
  ChannelSums& sums = at.tape.sums;
  for (std::size_t y = 0; y < rows.n_rows && !at.stack.slope; ++y)
    multiply_by_derivative_row(at, at.raw_rows(layer, rows.first + y, 1),
                               at.work.layers[layer].results.data(), grad_activated + y * pitch);
  at.stack.kernels.deactivate(at.raw_rows(layer, rows.first, rows.n_rows), grad_activated, pitch,
                              at.grad_normalised(rows.first), at.grad_pitch(), sums.first.data(),
                              sums.second.data());
}

// The coefficients of the norm behind the layer and of that before it.
template <class T>
void set_coefficients(const ConvEvaluation<T>& at, std::size_t layer) {
  if (layer > 0) at.set_scale(layer - 1);
  if (layer == at.stack.n_hidden()) return;
  ConvLayerTape<T>& values = at.tape.layers[layer];
  at.set_scale(layer);
  if (at.stack.options.norm != Norm::none)
    values.coefficients.set_adjoint(at.tape.joined, values.inverse_deviation.data() + at.statistics(layer));
}

// Makes the first layer's raw results again, one strip ahead of the one that reads them with its neighbours.
template <class T>
void remake(const ConvEvaluation<T>& at, std::size_t i) {
  const Strips& strips = at.stack.layers[0].strips();
  if (i == 0) at.convolve(0, strips[0], at.image(0, strips[0]));
  if (i + 1 < strips.size()) at.convolve(0, strips[i + 1], at.image(0, strips[i + 1]));
}

template <class T>
void pull_strip(const ConvEvaluation<T>& at, std::size_t layer, const Strip& strip, const T* delta,
                T* const* grad_inputs) {
  pull_back(at, layer, strip, delta);
  const ImageShape shape = at.stack.layers[layer].grad_image();
  const BorderedRows made = pulled_rows(at.stack.layers[layer], strip);
  const std::size_t first = std::max(made.first, shape.rim()),
                    end = std::min(made.end, shape.rim() + shape.height);
  const Strip inside{.first = first - shape.rim(), .n_rows = end - first};
  T* grad = at.work.layers[layer].grad_image.data() + (first - made.first) * shape.row() +
            shape.border * shape.stride;
  if (layer > 0)
    deactivate(at, layer - 1, inside, grad, shape.row());
  else
    field_row_kernels<T>().add_separated(at.field_rows(inside, at.stack.options.n_inputs, shape), grad,
                                         grad_inputs);
}

}  // namespace

template <class T>
void backward_layer(const ConvEvaluation<T>& at, std::size_t layer, const T* const* grad_outputs,
                    T* const* grad_inputs) {
  const ConvLayer<T>& sizes = at.stack.layers[layer];
  const bool is_pulled = layer > 0 || std::any_of(grad_inputs, grad_inputs + at.stack.options.n_inputs,
                                                  [](const T* g) { return g; });
  if (layer == at.stack.n_hidden()) add_grad_bias(at, grad_outputs);
  set_coefficients(at, layer);
  if (!at.stack.is_joined()) at.tape.sums.clear();
  for (std::size_t i = 0; i < sizes.strips().size(); ++i) {
    const Strip strip = sizes.strips()[i];
    const T* delta = load_delta(at, layer, strip, grad_outputs);
    if (layer == 1 && at.stack.layers[0].is_remade()) remake(at, i);
    if (at.tape.needs_weight_gradient)
      sizes.gradient().add(strip, at.image(layer, strip), delta, at.tape.layers[layer].grad_filter.data(),
                           at.work.scratch.data());
    if (is_pulled) pull_strip(at, layer, strip, delta, grad_inputs);
  }
  if (layer == 0) return;
  at.tape.sums.count += static_cast<double>(at.stack.n_pixels());
  if (!at.stack.is_joined()) at.tape.finish_gradient(layer - 1, at.statistics(layer - 1));
}

template void backward_layer(const ConvEvaluation<float>&, std::size_t, const float* const*, float* const*);
template void backward_layer(const ConvEvaluation<double>&, std::size_t, const double* const*,
                             double* const*);

}  // namespace greybox
