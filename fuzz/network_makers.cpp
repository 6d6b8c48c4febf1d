// The fuzzers read models and make no networks: what would make them is left out, with its kernels.
#include <cstdlib>

#include "nn/conv2d.hpp"
#include "nn/mlp.hpp"

namespace greybox {

template <class T>
std::unique_ptr<Network<T>> make_mlp(const MlpOptions&) {
  std::abort();
}

template <class T>
std::unique_ptr<Network<T>> make_conv2d(const Conv2dOptions&) {
  std::abort();
}

template std::unique_ptr<Network<float>> make_mlp(const MlpOptions&);
template std::unique_ptr<Network<double>> make_mlp(const MlpOptions&);
template std::unique_ptr<Network<float>> make_conv2d(const Conv2dOptions&);
template std::unique_ptr<Network<double>> make_conv2d(const Conv2dOptions&);

}  // namespace greybox
