// Sizes of a convolutional network's workspace.
#include "nn/conv_workspace.hpp"

#include <algorithm>

namespace greybox {
namespace {

// Room behind arrays of which whole vectors or panels are read and written.
constexpr std::size_t kSlack = 64;

// A strip's rows of an image, and those of the border or of its neighbours around them.
std::size_t strip_size(const Strips& strips, const ImageShape& shape) {
  return (strips.most_rows() + 2 * shape.rim()) * shape.row() + kSlack;
}

template <class T>
std::size_t scratch_size(const std::vector<ConvLayer<T>>& network) {
  std::size_t size = 0;
  for (const ConvLayer<T>& layer : network) size = std::max(size, layer.scratch_size());
  return size;
}

}  // namespace

template <class T>
ConvLayerWorkspace<T>::ConvLayerWorkspace(const ConvLayer<T>& layer)
    : image(layer.is_first() ? 0 : strip_size(layer.strips(), layer.image())),
      delta(strip_size(layer.strips(), layer.delta())),
      grad_image(strip_size(layer.strips(), layer.grad_image())),
      results((layer.is_last() ? layer.strips().most_rows() : 1) * layer.image().width * layer.stride() +
              kSlack) {}

template <class T>
ConvWorkspace<T>::ConvWorkspace(const std::vector<ConvLayer<T>>& network)
    : layers(network.begin(), network.end()), scratch(scratch_size(network)) {}

template struct ConvLayerWorkspace<float>;
template struct ConvLayerWorkspace<double>;
template struct ConvWorkspace<float>;
template struct ConvWorkspace<double>;

}  // namespace greybox
