// Memory of one block of samples.
#include "nn/conv_tape.hpp"

namespace greybox {
namespace {

constexpr std::size_t kSlack = 64;  // vectors are read past the last pixel

}  // namespace

template <class T>
ConvLayerTape<T>::ConvLayerTape(const ConvLayer<T>& layer, std::size_t capacity, std::size_t n_kept,
                                std::size_t n_statistics)
    : raw(layer.is_last() ? 0 : (layer.is_remade() ? capacity : n_kept) * layer.result_size()),
      fields(layer.is_first() ? n_kept * layer.image().size() + kSlack : 0),
      mean(n_statistics * layer.stride()),
      inverse_deviation(n_statistics * layer.stride()),
      coefficients(layer.stride()),
      grad_filter(layer.gradient().size()),
      grad_shift(layer.stride()),
      grad_scale(layer.stride()) {
  inverse_deviation.fill(1);
}

template <class T>
Conv2dTape<T>::Conv2dTape(std::size_t capacity_, std::size_t n_channels, std::size_t grad_size_,
                          std::size_t n_waiting)
    : capacity(capacity_),
      grad_size(grad_size_),
      grad_normalised(n_waiting * grad_size),
      pivot(n_channels),
      sums(n_channels),
      joined(n_channels),
      moments(n_channels) {}

template <class T>
void Conv2dTape<T>::finish_statistics(const ChannelMoments& from, std::size_t layer, std::size_t statistics) {
  ConvLayerTape<T>& values = layers[layer];
  const std::size_t n_channels = values.coefficients.scale.size();
  from.finish(values.mean.span().subspan(statistics, n_channels),
              values.inverse_deviation.span().subspan(statistics, n_channels));
}

template <class T>
void Conv2dTape<T>::finish_gradient(std::size_t layer, std::size_t statistics) {
  ConvLayerTape<T>& values = layers[layer];
  for (std::size_t c = 0; c < values.grad_shift.size(); ++c) {
    values.grad_shift[c] += sums.first[c];
    values.grad_scale[c] += sums.second[c] * static_cast<double>(values.inverse_deviation[statistics + c]);
  }
  joined = sums;
}

template struct ConvLayerTape<float>;
template struct ConvLayerTape<double>;
template struct Conv2dTape<float>;
template struct Conv2dTape<double>;

}  // namespace greybox
