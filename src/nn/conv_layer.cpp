// Sizes and weights of one convolutional layer.
#include "nn/conv_layer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace greybox {
namespace {

FilterShape filter_shape(const Conv2dOptions& options, std::size_t index) {
  const auto& channels = options.channels;
  return {.n_inputs = index == 0 ? options.n_inputs : channels[index - 1],
          .n_outputs = index == channels.size() ? options.n_outputs : channels[index],
          .kernel = options.kernel,
          .is_line = options.is_line};
}

// A border row's gradient must find the row it repeats in the same strip, and two strips share no more than
// the rows of the kernel.
std::size_t fewest_rows(const Conv2dOptions& options) {
  if (options.is_line || options.padding == Padding::periodic) return options.height;
  return (options.kernel + kWinogradTile - 1) / kWinogradTile * kWinogradTile;
}

}  // namespace

// Between layers results come in whole panels, as the kernels of normalisation want them; at the two ends of
// the network nothing but a copy follows, and few channels need no panels.
template <class T>
ConvLayer<T>::ConvLayer(const Conv2dOptions& options, std::size_t index)
    : is_first_(index == 0),
      is_last_(index == options.channels.size()),
      has_norm_weights_(!is_last_ && options.norm == Norm::batch),
      height_(options.height),
      width_(options.width),
      // A border of zeros depends on nothing.
      grad_margin_(options.padding == Padding::zero ? options.kernel / 2 : 0),
      shape_(filter_shape(options, index)),
      strips_(height_, fewest_rows(options)),
      filter_(shape_, area(), is_last_ ? ResultLayout::compact : ResultLayout::panels),
      adjoint_(shape_.adjoint(), adjoint_area(), is_first_ ? ResultLayout::compact : ResultLayout::panels),
      gradient_(shape_, image(), delta()),
      norm_weight_(stride()),
      norm_bias_(stride()) {
  std::fill_n(norm_weight_.data(), shape_.n_outputs, T{1});
}

template <class T>
void ConvLayer<T>::append_tensors(std::size_t index, std::vector<WeightTensor>& tensors) {
  const std::string name = std::to_string(index);
  const auto append = [&](const std::string& part, std::vector<std::size_t> shape, double bound,
                          double centre) {
    const std::size_t offset = tensors.empty() ? 0 : tensors.back().offset + tensors.back().size();
    tensors.push_back({name + part, std::move(shape), offset, bound, centre});
    return offset;
  };
  const std::size_t out = shape_.n_outputs, in = shape_.n_inputs, kernel = shape_.kernel;
  const double bound = 1 / std::sqrt(static_cast<double>(shape_.size()));
  std::vector<std::size_t> weight = {out, in, kernel};
  if (!shape_.is_line) weight.push_back(kernel);
  offsets_.weight = append(".weight", std::move(weight), bound, 0);
  offsets_.bias = append(".bias", {out}, bound, 0);
  if (has_norm_weights_) {
    offsets_.norm_weight = append(".norm.weight", {out}, 0, 1);
    offsets_.norm_bias = append(".norm.bias", {out}, 0, 0);
  }
}

template <class T>
void ConvLayer<T>::set_weights(const T* weights) {
  filter_.pack(weights + offsets_.weight, weights + offsets_.bias);
  adjoint_.pack_adjoint(weights + offsets_.weight);
  if (has_norm_weights_) {
    std::copy_n(weights + offsets_.norm_weight, shape_.n_outputs, norm_weight_.data());
    std::copy_n(weights + offsets_.norm_bias, shape_.n_outputs, norm_bias_.data());
  }
}

template <class T>
ImageShape ConvLayer<T>::image() const {
  return {.height = height_,
          .width = width_,
          .border = (shape_.kernel - 1) / 2,
          .stride = shape_.n_inputs,
          .is_line = shape_.is_line};
}

template <class T>
ImageShape ConvLayer<T>::delta() const {
  return {.height = height_,
          .width = width_,
          .border = shape_.kernel - 1,
          .stride = shape_.n_outputs,
          .is_line = shape_.is_line};
}

template <class T>
ImageShape ConvLayer<T>::grad_image() const {
  ImageShape shape = image();
  shape.stride = adjoint_.stride();
  return shape;
}

template <class T>
FilterArea ConvLayer<T>::area() const {
  return {.height = height_,
          .width = width_,
          .image_pitch = image().width + 2 * image().border,
          .result_pitch = width_};
}

template <class T>
FilterArea ConvLayer<T>::adjoint_area() const {
  const std::size_t frame = 2 * (image().border - grad_margin_);
  return {.height = height_ + (shape_.is_line ? 0 : frame),
          .width = width_ + frame,
          .image_pitch = width_ + 2 * delta().border,
          .result_pitch = width_ + 2 * image().border};
}

template <class T>
std::size_t ConvLayer<T>::scratch_size() const {
  return std::max({filter_.scratch_size(), adjoint_.scratch_size(), gradient_.scratch_size()});
}

template class ConvLayer<float>;
template class ConvLayer<double>;

}  // namespace greybox
