// Memory in which a sample goes through the layers of a convolutional network.
#pragma once

#include <vector>

#include "core/aligned_buffer.hpp"
#include "nn/conv_layer.hpp"

namespace greybox {

// What one layer makes of a strip.
template <class T>
struct ConvLayerWorkspace {
  explicit ConvLayerWorkspace(const ConvLayer<T>& layer);

  AlignedBuffer<T> image;  // what the layer reads; the first layer's is kept in the tape
  AlignedBuffer<T> delta, grad_image;
  AlignedBuffer<T> results;  // a strip of the last layer; a row of the others
};

template <class T>
struct ConvWorkspace {
  explicit ConvWorkspace(const std::vector<ConvLayer<T>>& network);

  std::vector<ConvLayerWorkspace<T>> layers;
  AlignedBuffer<T> scratch;  // the filters' working memory
};

extern template struct ConvLayerWorkspace<float>;
extern template struct ConvLayerWorkspace<double>;
extern template struct ConvWorkspace<float>;
extern template struct ConvWorkspace<double>;

}  // namespace greybox
