// Sizes of weight tensors.
#include "nn/network.hpp"

#include <functional>
#include <numeric>

namespace greybox {

std::size_t WeightTensor::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace greybox
