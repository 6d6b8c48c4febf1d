// A sample forward through one convolutional layer.
#include <algorithm>

#include "nn/conv_evaluation.hpp"

namespace greybox {
namespace {

// Fields come one array per component; the network keeps the components of a pixel together.
template <class T>
void load_inputs(const ConvEvaluation<T>& at, const T* const* inputs) {
  const ImageShape shape = at.stack.layers[0].image();
  T* image = at.fields();
  const Strip all{.first = 0, .n_rows = shape.height};
  field_row_kernels<T>().interleave(at.field_rows(all, shape.stride, shape), inputs, image + shape.inside(0));
  fill_border(at.stack.options.padding, shape, image);
}

// Sums of rows about the first pixel that the block has met.
template <class T>
void add_moments(const ConvEvaluation<T>& at, RawRows<T> rows) {
  Conv2dTape<T>& tape = at.tape;
  if (tape.sums.count == 0) std::copy_n(rows.z, rows.stride, tape.pivot.data());
  rows.mean = tape.pivot.data();
  at.stack.kernels.add_moments(rows, tape.sums.first.data(), tape.sums.second.data());
  tape.sums.count += static_cast<double>(rows.n_rows * rows.n_pixels);
}

template <class T>
void convolve_hidden(const ConvEvaluation<T>& at, std::size_t layer, const Strip& strip) {
  at.convolve(layer, strip, at.image(layer, strip));
  if (at.stack.options.norm != Norm::none) add_moments(at, at.raw_rows(layer, strip.first, strip.n_rows));
}

template <class T>
void convolve_last(const ConvEvaluation<T>& at, const Strip& strip, T* const* outputs) {
  const std::size_t last = at.stack.n_hidden(), width = at.stack.options.width;
  const ConvLayer<T>& layer = at.stack.layers[last];
  T* results = at.work.layers[last].results.data();
  layer.filter().apply(strip.n_rows, at.image(last, strip), results, at.work.scratch.data());
  const ImageShape shape{.height = strip.n_rows, .width = width, .border = 0, .stride = layer.stride()};
  field_row_kernels<T>().separate(at.field_rows(strip, layer.n_outputs(), shape), results, outputs);
}

}  // namespace

template <class T>
void forward_layer(const ConvEvaluation<T>& at, std::size_t layer, const T* const* inputs,
                   T* const* outputs) {
  if (layer == 0) load_inputs(at, inputs);
  if (layer > 0) at.set_scale(layer - 1);
  if (!at.stack.is_joined()) at.tape.sums.clear();
  const Strips& strips = at.stack.layers[layer].strips();
  for (std::size_t i = 0; i < strips.size(); ++i) {
    if (layer < at.stack.n_hidden())
      convolve_hidden(at, layer, strips[i]);
    else
      convolve_last(at, strips[i], outputs);
  }
  if (layer < at.stack.n_hidden() && at.stack.options.norm == Norm::instance) {
    at.tape.moments.clear();
    at.tape.moments.add(at.tape.sums, at.tape.pivot.data());
    at.tape.finish_statistics(at.tape.moments, layer, at.statistics(layer));
  }
}

template void forward_layer(const ConvEvaluation<float>&, std::size_t, const float* const*, float* const*);
template void forward_layer(const ConvEvaluation<double>&, std::size_t, const double* const*, double* const*);

}  // namespace greybox
