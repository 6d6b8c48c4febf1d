// What a convolutional network keeps of one block of samples.
#pragma once

#include <vector>

#include "core/aligned_buffer.hpp"
#include "nn/conv_layer.hpp"
#include "nn/norm.hpp"

namespace greybox {

// One layer's share of the tape. `n_kept`: capacity × slots; `n_statistics`: sets of channel statistics.
template <class T>
struct ConvLayerTape {
  ConvLayerTape(const ConvLayer<T>& layer, std::size_t capacity, std::size_t n_kept,
                std::size_t n_statistics);

  // Kept for every evaluation to be differentiated; activated images are cheaper to make again than to keep.
  AlignedBuffer<T> raw;                      // results before the norm; of one evaluation if they are remade
  AlignedBuffer<T> fields;                   // of the first layer: the image it reads
  AlignedBuffer<T> mean, inverse_deviation;  // 0 and 1 without norm

  NormCoefficients<T> coefficients;

  AlignedBuffer<T> grad_filter;
  std::vector<double> grad_shift;  // of the bias, or of the norm's bias where there is a norm
  std::vector<double> grad_scale;  // of the norm's weight
};

template <class T>
struct Conv2dTape final : Network<T>::Tape {
  // `n_channels`: the most of any layer, in whole panels; `grad_size`: the gradient of one sample between two
  // layers, of which there are `n_waiting`.
  Conv2dTape(std::size_t capacity_, std::size_t n_channels, std::size_t grad_size_, std::size_t n_waiting);

  // A hidden layer's statistics from the moments of all samples that share them.
  void finish_statistics(const ChannelMoments& from, std::size_t layer, std::size_t statistics);
  // The sums over this block are complete: gradients of the norm's weights (or of the bias).
  void finish_gradient(std::size_t layer, std::size_t statistics);

  std::size_t capacity;
  std::size_t grad_size;
  std::vector<ConvLayerTape<T>> layers;
  AlignedBuffer<T> grad_normalised;  // of one layer's normalised values
  AlignedBuffer<T> pivot;
  ChannelSums sums;    // over this block (over one sample when samples share no statistics)
  ChannelSums joined;  // over all samples that share statistics
  ChannelMoments moments;
};

extern template struct ConvLayerTape<float>;
extern template struct ConvLayerTape<double>;
extern template struct Conv2dTape<float>;
extern template struct Conv2dTape<double>;

}  // namespace greybox
