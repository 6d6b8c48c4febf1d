// Where a sample's values lie in the tape, and the images made of them.
#include "nn/conv_evaluation.hpp"

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
void ConvEvaluation<T>::convolve(std::size_t layer, const T* image) const {
  stack.layers[layer].filter().apply(image, raw(layer), tape.scratch.data());
}

template <class T>
T* ConvEvaluation<T>::grad_normalised() const {
  // Only with joined statistics do all samples wait between two layers.
  return tape.grad_normalised.data() + (stack.is_joined() ? sample * tape.grad_size : 0);
}

template <class T>
RawRow<T> ConvEvaluation<T>::raw_row(std::size_t layer, std::size_t y) const {
  const ConvLayer<T>& sizes = stack.layers[layer];
  ConvLayerTape<T>& values = tape.layers[layer];
  return {.n_pixels = stack.options.width,
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
T* ConvEvaluation<T>::fields() const {
  return tape.layers[0].image.data() + kept() * stack.layers[0].image().size();
}

template <class T>
const T* ConvEvaluation<T>::image(std::size_t layer) const {
  if (layer == 0) return fields();
  const ImageShape shape = stack.layers[layer].image();
  T* result = tape.layers[layer].image.data();
  set_scale(layer - 1);
  for (std::size_t y = 0; y < shape.height; ++y) {
    T* row = result + shape.inside(y);
    stack.kernels.activate(raw_row(layer - 1, y), row, shape.stride);
    if (!stack.slope) activate(stack.options.activation, shape.width * shape.stride, row, row);
  }
  fill_border(stack.options.padding, shape, result);
  return result;
}

template struct ConvStack<float>;
template struct ConvStack<double>;
template struct ConvEvaluation<float>;
template struct ConvEvaluation<double>;

}  // namespace greybox
