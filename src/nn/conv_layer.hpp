// One layer of a convolutional network: its sizes, the offsets of its tensors, and its packed weights.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "nn/conv2d.hpp"
#include "nn/conv_filter.hpp"
#include "nn/conv_strip.hpp"

namespace greybox {

// Where a layer's tensors begin in the network's flat vector of weights.
struct ConvLayerOffsets {
  std::size_t weight = 0;
  std::size_t bias = 0;
  std::size_t norm_weight = 0;  // these two with batch norm only
  std::size_t norm_bias = 0;
};

template <class T>
class ConvLayer {
 public:
  // Layer `index` of the network; the one after the last hidden layer is the linear one.
  ConvLayer(const Conv2dOptions& options, std::size_t index);

  // Adds this layer's tensors, counted from `index`, behind those that are there.
  void append_tensors(std::size_t index, std::vector<WeightTensor>& tensors);
  // Takes over the network's weights.
  void set_weights(const T* weights);

  std::size_t n_inputs() const { return shape_.n_inputs; }
  std::size_t n_outputs() const { return shape_.n_outputs; }
  bool is_first() const { return is_first_; }
  bool is_last() const { return is_last_; }
  // The raw results are not kept but made again for the way back: with few inputs that is quicker than
  // memory.
  bool is_remade() const { return is_first_ && !is_last_ && 4 * shape_.n_inputs <= shape_.n_outputs; }
  bool has_norm_weights() const { return has_norm_weights_; }
  const ConvLayerOffsets& offsets() const { return offsets_; }

  // The rows that go through the layer together.
  const Strips& strips() const { return strips_; }
  // The image the layer reads, without gaps between pixels.
  ImageShape image() const;
  // The gradient of its results, without gaps, in a border of zeros wide enough for the adjoint to reach all
  // of the image.
  ImageShape delta() const;
  // The gradient of the image as the adjoint filter writes it.
  ImageShape grad_image() const;
  // Values per pixel and per sample of the results.
  std::size_t stride() const { return filter_.stride(); }
  std::size_t result_size() const { return height_ * width_ * stride(); }

  const ConvFilter<T>& filter() const { return filter_; }
  // To be applied `grad_margin()` pixels inside the delta, to a result as far inside the grad_image.
  const ConvFilter<T>& adjoint() const { return adjoint_; }
  std::size_t grad_margin() const { return grad_margin_; }
  // The same in rows.
  std::size_t grad_margin_rows() const { return shape_.is_line ? 0 : grad_margin_; }
  const ConvFilterGradient<T>& gradient() const { return gradient_; }
  std::size_t scratch_size() const;                             // working memory of any of the three
  const T* norm_weight() const { return norm_weight_.data(); }  // 1 when the layer has none
  const T* norm_bias() const { return norm_bias_.data(); }      // 0 when the layer has none

 private:
  FilterArea area() const;
  FilterArea adjoint_area() const;

  bool is_first_, is_last_, has_norm_weights_;
  std::size_t height_, width_;
  std::size_t grad_margin_;
  FilterShape shape_;
  Strips strips_;
  ConvLayerOffsets offsets_;
  ConvFilter<T> filter_, adjoint_;
  ConvFilterGradient<T> gradient_;
  AlignedBuffer<T> norm_weight_, norm_bias_;  // stride() values each, zero past the channels
};

extern template class ConvLayer<float>;
extern template class ConvLayer<double>;

}  // namespace greybox
