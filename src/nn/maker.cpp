#include "nn/maker.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "nn/activation.hpp"
#include "nn/gemm.hpp"
#include "nn/sample_rows.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> all_below(std::size_t n) {
  std::vector<std::size_t> indices(n);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

template <class T>
void add_bias(std::size_t n, const DenseLayer<T>& layer, const T* delta, AlignedBuffer<T>& sums) {
  add_rows(n, layer.output().padded, delta, static_cast<std::ptrdiff_t>(layer.output().stride), sums.data());
}

}  // namespace

template <class T>
Maker<T>::Maker(std::size_t n_conditions, std::size_t n_hidden, std::vector<std::size_t> places,
                std::size_t n_places, double share, Activation activation)
    : places_(std::move(places)),
      share_(static_cast<T>(share)),
      activation_(activation),
      hidden_(n_hidden, n_conditions, all_below(n_conditions), false),
      made_(n_places, n_hidden, all_below(n_hidden), false),
      hidden_bias_(hidden_.output().padded),
      made_bias_(made_.output().padded),
      rows_(n_places * n_hidden) {
  std::vector<bool> is_place(n_places);
  for (std::size_t place : places_) is_place[place] = true;
  for (std::size_t i = 0; i < n_places; ++i)
    if (!is_place[i]) gaps_.push_back(i);
}

template <class T>
void Maker<T>::set_weights(const T* hidden, const T* rows, const T* offsets) {
  const std::size_t n_hidden = hidden_.output().count;
  hidden_.set_weights(hidden);
  std::copy_n(hidden + n_hidden * hidden_.input().count, n_hidden, hidden_bias_.data());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    for (std::size_t i = 0; i < n_hidden; ++i)
      rows_[places_[k] * n_hidden + i] = share_ * rows[k * n_hidden + i];
    made_bias_[places_[k]] = offsets[k];
  }
  made_.set_weights(rows_.data());
}

template <class T>
MakerTape<T> Maker<T>::make_tape(std::size_t n_rows) const {
  const auto rows = [&](const FeatureLayout<T>& features) {
    return AlignedBuffer<T>(n_rows * features.stride);
  };
  MakerTape<T> tape;
  tape.input = rows(hidden_.input()), tape.grad_input = rows(hidden_.input());
  if (derivative_needs_input(activation_)) tape.sums = rows(hidden_.output());
  tape.hidden = rows(hidden_.output()), tape.grad_hidden = rows(hidden_.output());
  tape.made = rows(made_.output()), tape.grad_made = rows(made_.output());
  tape.hidden_weights = AlignedBuffer<T>(hidden_.n_sums());
  tape.hidden_biases = AlignedBuffer<T>(hidden_.output().padded);
  tape.made_weights = AlignedBuffer<T>(made_.n_sums());
  tape.made_biases = AlignedBuffer<T>(made_.output().padded);
  return tape;
}

template <class T>
void Maker<T>::make(MakerTape<T>& tape, std::size_t first_row, std::size_t n,
                    const std::vector<std::size_t>& which, const T* const* inputs) const {
  const std::size_t input_stride = hidden_.input().stride, hidden_stride = hidden_.output().stride;
  T *x = tape.input.data() + first_row * input_stride, *y = tape.hidden.data() + first_row * hidden_stride;
  T* z = derivative_needs_input(activation_) ? tape.sums.data() + first_row * hidden_stride : y;
  gather(n, which, inputs, x, input_stride);
  hidden_.forward(n, x, z, {.start = hidden_bias_.data()});
  activate(activation_, n * hidden_stride, z, y);
  made_.forward(n, y, tape.made.data() + first_row * stride(), {.start = made_bias_.data()});
}

template <class T>
void Maker<T>::pull_back(MakerTape<T>& tape, std::size_t first_row, std::size_t n,
                         const std::vector<std::size_t>& which, T* const* grad_inputs,
                         bool needs_weights) const {
  const std::size_t input_stride = hidden_.input().stride, hidden_stride = hidden_.output().stride;
  T* grad_made = tape.grad_made.data() + first_row * stride();
  T* grad_hidden = tape.grad_hidden.data() + first_row * hidden_stride;
  T* grad_input = tape.grad_input.data() + first_row * input_stride;
  const T* y = tape.hidden.data() + first_row * hidden_stride;
  const bool needs_sums = derivative_needs_input(activation_);
  // What kernels leave between the places may be no number where the sample's are none.
  for (std::size_t s = 0; s < n; ++s)
    for (std::size_t gap : gaps_) grad_made[s * stride() + gap] = 0;
  made_.backward(n, grad_made, grad_hidden, {});
  multiply_by_derivative(activation_, n * hidden_stride,
                         needs_sums ? tape.sums.data() + first_row * hidden_stride : y, grad_hidden);
  hidden_.backward(n, grad_hidden, grad_input, {});
  scatter_add(n, which, grad_input, input_stride, grad_inputs);
  if (!needs_weights) return;
  made_.add_gradient(n, y, grad_made, tape.made_weights.data());
  add_bias(n, made_, grad_made, tape.made_biases);
  hidden_.add_gradient(n, tape.input.data() + first_row * input_stride, grad_hidden,
                       tape.hidden_weights.data());
  add_bias(n, hidden_, grad_hidden, tape.hidden_biases);
}

template <class T>
void Maker<T>::clear_weight_gradient(MakerTape<T>& tape) const {
  for (AlignedBuffer<T>* sums :
       {&tape.hidden_weights, &tape.hidden_biases, &tape.made_weights, &tape.made_biases})
    sums->fill(T{0});
}

template <class T>
void Maker<T>::add_weight_gradient(const MakerTape<T>& tape, T* hidden, T* rows, T* offsets,
                                   AlignedBuffer<T>& scratch) const {
  const std::size_t n_hidden = hidden_.output().count;
  hidden_.add_to(hidden, tape.hidden_weights.data());
  T* bias = hidden + n_hidden * hidden_.input().count;
  for (std::size_t o = 0; o < n_hidden; ++o) bias[o] += tape.hidden_biases[o];
  scratch.fill(T{0});
  made_.add_to(scratch.data(), tape.made_weights.data());
  for (std::size_t k = 0; k < places_.size(); ++k) {
    for (std::size_t i = 0; i < n_hidden; ++i)
      rows[k * n_hidden + i] += share_ * scratch[places_[k] * n_hidden + i];
    offsets[k] += tape.made_biases[places_[k]];
  }
}

template class Maker<float>;
template class Maker<double>;

}  // namespace greybox
