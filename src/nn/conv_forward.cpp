// A sample forward through one convolutional layer.
#include <algorithm>

#include "nn/conv_evaluation.hpp"
#include "nn/field_rows.hpp"

namespace greybox {
namespace {

// Fields come one array per component; the network keeps the components of a pixel together.
template <class T>
void load_inputs(const ConvEvaluation<T>& at, const T* const* inputs) {
  const ImageShape shape = at.stack.layers[0].image();
  T* image = at.fields();
  const std::size_t first = at.sample * at.stack.n_pixels();
  for (std::size_t y = 0; y < shape.height; ++y)
    interleave(shape.width, shape.stride, inputs, first + y * shape.width, image + shape.inside(y));
  fill_border(at.stack.options.padding, shape, image);
}

// Sums of a row about the first pixel that the block has met.
template <class T>
void add_moments(const ConvEvaluation<T>& at, RawRow<T> row) {
  Conv2dTape<T>& tape = at.tape;
  if (tape.sums.count == 0) std::copy_n(row.z, row.stride, tape.pivot.data());
  row.mean = tape.pivot.data();
  at.stack.kernels.add_moments(row, tape.sums.first.data(), tape.sums.second.data());
  tape.sums.count += static_cast<double>(row.n_pixels);
}

template <class T>
void convolve_hidden(const ConvEvaluation<T>& at, std::size_t layer, const T* image) {
  at.convolve(layer, image);
  if (at.stack.options.norm == Norm::none) return;
  if (!at.stack.is_joined()) at.tape.sums.clear();
  for (std::size_t y = 0; y < at.stack.options.height; ++y) add_moments(at, at.raw_row(layer, y));
  if (at.stack.options.norm == Norm::instance) {
    at.tape.moments.clear();
    at.tape.moments.add(at.tape.sums, at.tape.pivot.data());
    at.tape.finish_statistics(at.tape.moments, layer, at.statistics(layer));
  }
}

template <class T>
void convolve_last(const ConvEvaluation<T>& at, const T* image, T* const* outputs) {
  const ConvLayer<T>& layer = at.stack.layers.back();
  const std::size_t n_pixels = at.stack.n_pixels();
  T* results = at.tape.layers.back().results.data();
  layer.filter().apply(image, results, at.tape.scratch.data());
  separate(n_pixels, layer.n_outputs(), results, layer.stride(), outputs, at.sample * n_pixels);
}

}  // namespace

template <class T>
void forward_layer(const ConvEvaluation<T>& at, std::size_t layer, const T* const* inputs,
                   T* const* outputs) {
  if (layer == 0) load_inputs(at, inputs);
  const T* image = at.image(layer);
  if (layer < at.stack.n_hidden()) {
    convolve_hidden(at, layer, image);
  } else {
    convolve_last(at, image, outputs);
  }
}

template void forward_layer(const ConvEvaluation<float>&, std::size_t, const float* const*, float* const*);
template void forward_layer(const ConvEvaluation<double>&, std::size_t, const double* const*, double* const*);

}  // namespace greybox
