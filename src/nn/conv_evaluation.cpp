// Where a sample's values lie in the tape, and the images made of them.
#include "nn/conv_evaluation.hpp"

#include <algorithm>

#include "nn/activation.hpp"

namespace greybox {

template <class T>
ConvStack<T>::ConvStack(const Conv2dOptions& options_)
    : options(options_), kernels(norm_row_kernels<T>()), slope(leaky_slope(options.activation)) {
  for (std::size_t i = 0; i <= options.channels.size(); ++i) layers.emplace_back(options, i);
}

template <class T>
std::size_t ConvEvaluation<T>::statistics(std::size_t layer) const {
  const std::size_t stride = stack.layers[layer].stride();
  switch (stack.options.norm) {
    case Norm::none:
      return 0;
    case Norm::batch:
      return slot * stride;
    case Norm::instance:
      break;
  }
  return kept() * stride;
}

template <class T>
T* ConvEvaluation<T>::raw(std::size_t layer) const {
  const ConvLayer<T>& sizes = stack.layers[layer];
  return tape.layers[layer].raw.data() + (sizes.is_remade() ? sample : kept()) * sizes.result_size();
}

template <class T>
void ConvEvaluation<T>::convolve(std::size_t layer, const Strip& strip, const T* image) const {
  const ConvLayer<T>& sizes = stack.layers[layer];
  T* results = raw(layer) + strip.first * stack.options.width * sizes.stride();
  sizes.filter().apply(strip.n_rows, image, results, work.scratch.data());
}

template <class T>
T* ConvEvaluation<T>::grad_normalised(std::size_t y) const {
  // Only with joined statistics do all samples wait between two layers.
  T* grad = tape.grad_normalised.data() + (stack.is_joined() ? sample * tape.grad_size : 0);
  return grad + y * grad_pitch();
}

template <class T>
RawRows<T> ConvEvaluation<T>::raw_rows(std::size_t layer, std::size_t y, std::size_t n_rows) const {
  const ConvLayer<T>& sizes = stack.layers[layer];
  ConvLayerTape<T>& values = tape.layers[layer];
  return {.n_rows = n_rows,
          .n_pixels = stack.options.width,
          .n_channels = sizes.n_outputs(),
          .stride = sizes.stride(),
          .z = raw(layer) + y * stack.options.width * sizes.stride(),
          .mean = values.mean.data() + statistics(layer),
          .scale = values.coefficients.scale.data(),
          .shift = sizes.norm_bias(),
          .slope = static_cast<T>(stack.slope.value_or(1))};
}

template <class T>
void ConvEvaluation<T>::set_scale(std::size_t layer) const {
  ConvLayerTape<T>& values = tape.layers[layer];
  const T* inverse_deviation = values.inverse_deviation.data() + statistics(layer);
  values.coefficients.set_scale(stack.layers[layer].norm_weight(), inverse_deviation);
}

template <class T>
PixelRows ConvEvaluation<T>::field_rows(const Strip& rows, std::size_t n_fields,
                                        const ImageShape& pixels) const {
  return {.n_rows = rows.n_rows,
          .width = pixels.width,
          .stride = pixels.stride,
          .pitch = pixels.row(),
          .n_fields = n_fields,
          .offset = sample * stack.n_pixels() + rows.first * pixels.width};
}

template <class T>
T* ConvEvaluation<T>::fields() const {
  return tape.layers[0].fields.data() + kept() * stack.layers[0].image().size();
}

template <class T>
void ConvEvaluation<T>::make_image_rows(std::size_t layer, std::size_t y, std::size_t n_rows, T* rows) const {
  const ImageShape shape = stack.layers[layer].image();
  const std::size_t border = shape.border * shape.stride;
  stack.kernels.activate(raw_rows(layer - 1, y, n_rows), rows + border,
                         {.stride = shape.stride, .pitch = shape.row()});
  for (T* row = rows; row != rows + n_rows * shape.row(); row += shape.row()) {
    if (!stack.slope)
      activate(stack.options.activation, shape.width * shape.stride, row + border, row + border);
    fill_sides(stack.options.padding, shape, row);
  }
}

template <class T>
const T* ConvEvaluation<T>::image(std::size_t layer, const Strip& strip) const {
  const ImageShape shape = stack.layers[layer].image();
  if (layer == 0) return fields() + strip.first * shape.row();
  T* rows = work.layers[layer].image.data();
  const std::size_t n_shared = strip.first == 0 ? 0 : 2 * shape.rim(), end = strip.end() + 2 * shape.rim(),
                    end_inside = shape.rim() + shape.height;
  std::copy_n(rows + stack.layers[layer].strips().rows() * shape.row(), n_shared * shape.row(), rows);
  for (std::size_t y = strip.first + n_shared, n = 1; y < end; y += n) {
    const bool is_inside = y >= shape.rim() && y < end_inside;
    n = is_inside ? std::min(end, end_inside) - y : 1;
    T* row = rows + (y - strip.first) * shape.row();
    if (const std::optional<std::size_t> source = source_row(stack.options.padding, shape, y))
      make_image_rows(layer, *source, n, row);
    else
      std::fill_n(row, shape.row(), T{0});
  }
  return rows;
}

template struct ConvStack<float>;
template struct ConvStack<double>;
template struct ConvEvaluation<float>;
template struct ConvEvaluation<double>;

}  // namespace greybox
