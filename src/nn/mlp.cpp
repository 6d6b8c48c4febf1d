// Forward, backward and weight gradients of a fully connected network.
#include "nn/mlp.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <optional>

#include "nn/activation.hpp"
#include "nn/dense_layer.hpp"
#include "nn/mlp_tape.hpp"
#include "nn/sample_rows.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> indices_below(std::size_t n) {
  std::vector<std::size_t> indices(n);
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

// Inputs that do (or do not) stay the same along a trajectory.
std::vector<std::size_t> inputs_of(const MlpOptions& options, bool is_static) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < options.n_inputs; ++i) {
    if ((!options.is_static.empty() && options.is_static[i]) == is_static) indices.push_back(i);
  }
  return indices;
}

// Of every weight, in the layout of the tensors.
std::vector<int> weight_signs(const MlpOptions& options) {
  const auto is_zero = [](int sign) { return sign == 0; };
  if (std::all_of(options.signs.begin(), options.signs.end(), is_zero)) return {};
  std::vector<int> signs;
  std::size_t n_columns = options.n_inputs;
  for (std::size_t layer = 0; layer <= options.hidden.size(); ++layer) {
    const std::size_t n_rows = layer < options.hidden.size() ? options.hidden[layer] : options.n_outputs;
    for (std::size_t r = 0; r < n_rows; ++r)
      for (std::size_t c = 0; c < n_columns; ++c) signs.push_back(layer == 0 ? options.signs[c] : 1);
    signs.insert(signs.end(), n_rows, 0);
    n_columns = n_rows;
  }
  return signs;
}

template <class T>
class Mlp final : public Network<T> {
 public:
  using typename Network<T>::Tape;

  explicit Mlp(const MlpOptions& options);

  std::size_t n_inputs() const override { return moving_inputs_.size() + static_inputs_.size(); }
  std::size_t n_outputs() const override { return outputs_.size(); }
  std::span<const WeightTensor> tensors() const override { return tensors_; }
  std::size_t n_weights() const override { return tensors_.back().offset + tensors_.back().size(); }
  std::unique_ptr<Tape> make_tape(std::size_t capacity, std::size_t n_slots) const override;
  void set_weights(const T* weights) override;

  void begin(Tape& tape, std::size_t n_samples, const T* const* inputs) const override;
  void forward(Tape& tape, std::size_t slot, std::size_t phase, std::size_t n_samples, const T* const* inputs,
               T* const* outputs) const override;
  void backward(Tape& tape, std::size_t slot, std::size_t phase, std::size_t n_samples,
                const T* const* grad_outputs, T* const* grad_inputs) const override;
  void flush(Tape& tape, std::size_t first_slot, std::size_t n_slots, std::size_t n_samples) const override;
  void end(Tape& tape, std::size_t n_samples, T* const* grad_inputs) const override;
  void clear_weight_gradient(Tape& tape) const override;
  void add_weight_gradient(const Tape& tape, T* gradient) const override;

 private:
  using Layer = DenseLayer<T>;

  static MlpTape<T>& mine(Tape& tape) { return static_cast<MlpTape<T>&>(tape); }
  bool has_static() const { return !static_inputs_.empty(); }
  void add_layer(std::size_t n_outputs, std::size_t n_columns, const std::vector<std::size_t>& columns,
                 bool is_last);
  typename Layer::Forward start(const MlpTape<T>& tape, std::size_t layer) const;
  void hidden_forward(MlpTape<T>& tape, std::size_t layer, std::size_t row, std::size_t n_samples) const;
  void hidden_backward(MlpTape<T>& tape, std::size_t layer, std::size_t row, std::size_t waiting_row,
                       std::size_t n_samples) const;
  void add_sums(const MlpTape<T>& tape, T* gradient) const;
  void flush_rows(MlpTape<T>& tape, std::size_t row, std::size_t waiting_row, std::size_t n_rows) const;

  std::vector<std::size_t> moving_inputs_, static_inputs_, outputs_;
  Activation activation_;
  std::optional<double> slope_;        // of a piecewise linear activation, which the products apply
  std::vector<WeightTensor> tensors_;  // weight and bias of layer l are 2l and 2l + 1
  std::vector<Layer> layers_;          // the first one on the moving inputs
  std::vector<AlignedBuffer<T>> biases_;
  std::vector<int> signs_;  // per weight: 0 for any; empty where none has one
  std::vector<T> signed_, slopes_;
  Layer static_layer_;
};

template <class T>
Mlp<T>::Mlp(const MlpOptions& options)
    : moving_inputs_(inputs_of(options, false)),
      static_inputs_(inputs_of(options, true)),
      outputs_(indices_below(options.n_outputs)),
      activation_(options.activation),
      slope_(leaky_slope(options.activation)),
      signs_(weight_signs(options)),
      static_layer_(options.hidden.empty() ? options.n_outputs : options.hidden.front(), options.n_inputs,
                    static_inputs_, true) {
  assert(options.n_inputs > 0 && options.n_outputs > 0);
  std::size_t n_columns = options.n_inputs;
  std::vector<std::size_t> columns = moving_inputs_;
  for (std::size_t width : options.hidden) {
    add_layer(width, n_columns, columns, false);
    n_columns = width;
    columns = indices_below(width);
  }
  add_layer(options.n_outputs, n_columns, columns, true);
  signed_.resize(signs_.size());
  slopes_.resize(signs_.size());
}

template <class T>
void Mlp<T>::add_layer(std::size_t n_outputs, std::size_t n_columns, const std::vector<std::size_t>& columns,
                       bool is_last) {
  const std::string name = std::to_string(layers_.size());
  const double bound = 1 / std::sqrt(static_cast<double>(n_columns));
  const std::size_t offset = tensors_.empty() ? 0 : n_weights();
  tensors_.push_back(
      {.name = name + ".weight", .shape = {n_outputs, n_columns}, .offset = offset, .bound = bound});
  tensors_.push_back({.name = name + ".bias",
                      .shape = {n_outputs},
                      .offset = offset + n_outputs * n_columns,
                      .bound = bound});
  layers_.emplace_back(n_outputs, n_columns, columns, is_last);
  biases_.emplace_back(layers_.back().output().padded);
}

template <class T>
auto Mlp<T>::make_tape(std::size_t capacity, std::size_t n_slots) const -> std::unique_ptr<Tape> {
  auto tape = std::make_unique<MlpTape<T>>(layers_, static_layer_, capacity, n_slots,
                                           derivative_needs_input(activation_));
  tape->unsigned_gradient = AlignedBuffer<T>(signs_.size());
  return tape;
}

template <class T>
void Mlp<T>::set_weights(const T* weights) {
  for (std::size_t i = 0; i < signs_.size(); ++i) {
    slopes_[i] = signs_[i] == 0 ? T{1} : static_cast<T>(weights[i] < 0 ? -signs_[i] : signs_[i]);
    signed_[i] = slopes_[i] * weights[i];
  }
  if (!signs_.empty()) weights = signed_.data();
  static_layer_.set_weights(weights);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    layers_[l].set_weights(weights + tensors_[2 * l].offset);
    std::copy_n(weights + tensors_[2 * l + 1].offset, layers_[l].output().count, biases_[l].data());
  }
}

template <class T>
void Mlp<T>::begin(Tape& tape, std::size_t n_samples, const T* const* inputs) const {
  if (!has_static()) return;
  StaticTape<T>& fixed = mine(tape).fixed;
  gather(n_samples, static_inputs_, inputs, fixed.input.data(), static_layer_.input().stride);
  static_layer_.forward(n_samples, fixed.input.data(), fixed.share.data(), {.start = biases_[0].data()});
}

// What is added to a layer's product: its bias, or in the first layer the share of the static inputs.
template <class T>
typename DenseLayer<T>::Forward Mlp<T>::start(const MlpTape<T>& tape, std::size_t layer) const {
  if (layer > 0 || !has_static()) return {.start = biases_[layer].data()};
  return {.start = tape.fixed.share.data(), .start_row = layers_[0].output().stride};
}

template <class T>
void Mlp<T>::forward(Tape& tape, std::size_t slot, std::size_t, std::size_t n_samples, const T* const* inputs,
                     T* const* outputs) const {
  MlpTape<T>& t = mine(tape);
  const std::size_t row = slot * n_samples, last = layers_.size() - 1;
  const FeatureLayout<T>& input = layers_.front().input();
  gather(n_samples, moving_inputs_, inputs, t.layers.front().input.data() + row * input.stride, input.stride);
  for (std::size_t l = 0; l < last; ++l) hidden_forward(t, l, row, n_samples);
  const Layer& layer = layers_[last];
  layer.forward(n_samples, t.layers[last].input.data() + row * layer.input().stride, t.output.data(),
                start(t, last));
  scatter(n_samples, t.output.data(), layer.output().stride, outputs_.size(), outputs);
}

template <class T>
void Mlp<T>::hidden_forward(MlpTape<T>& tape, std::size_t layer, std::size_t row,
                            std::size_t n_samples) const {
  const Layer& dense = layers_[layer];
  const std::size_t stride = dense.output().stride;
  const T* x = tape.layers[layer].input.data() + row * dense.input().stride;
  T* y = tape.layers[layer + 1].input.data() + row * stride;
  typename Layer::Forward around = start(tape, layer);
  if (slope_) {
    around.epilogue = Epilogue::leaky, around.slope = static_cast<T>(*slope_);
    return dense.forward(n_samples, x, y, around);
  }
  T* z = derivative_needs_input(activation_) ? tape.layers[layer].preactivation.data() + row * stride : y;
  dense.forward(n_samples, x, z, around);
  activate(activation_, n_samples * stride, z, y);
}

template <class T>
void Mlp<T>::backward(Tape& tape, std::size_t slot, std::size_t, std::size_t n_samples,
                      const T* const* grad_outputs, T* const* grad_inputs) const {
  MlpTape<T>& t = mine(tape);
  const std::size_t row = slot * n_samples, waiting_row = slot % t.n_waiting * n_samples;
  const std::size_t output_stride = layers_.back().output().stride;
  gather(n_samples, outputs_, grad_outputs, t.layers.back().delta.data() + waiting_row * output_stride,
         output_stride);
  for (std::size_t l = layers_.size() - 1; l > 0; --l) hidden_backward(t, l, row, waiting_row, n_samples);
  const Layer& first = layers_.front();
  const std::size_t n = n_samples * first.output().stride;
  const T* delta = t.layers.front().delta.data() + waiting_row * first.output().stride;
  if (has_static()) add_rows(1, n, delta, 0, t.fixed.delta.data());
  first.backward(n_samples, delta, t.grad_input.data(), {});
  scatter_add(n_samples, moving_inputs_, t.grad_input.data(), first.input().stride, grad_inputs);
}

// From the gradient of a layer's preactivation to that of the layer before.
template <class T>
void Mlp<T>::hidden_backward(MlpTape<T>& tape, std::size_t layer, std::size_t row, std::size_t waiting_row,
                             std::size_t n_samples) const {
  const Layer& dense = layers_[layer];
  const std::size_t stride = dense.input().stride;
  const T* delta = tape.layers[layer].delta.data() + waiting_row * dense.output().stride;
  T* before = tape.layers[layer - 1].delta.data() + waiting_row * stride;
  const T* x = tape.layers[layer].input.data() + row * stride;
  if (slope_) {
    const T slope = static_cast<T>(*slope_);
    return dense.backward(n_samples, delta, before,
                          {.epilogue = Epilogue::leaky_mask, .slope = slope, .mask = x});
  }
  dense.backward(n_samples, delta, before, {});
  const AlignedBuffer<T>& z = tape.layers[layer - 1].preactivation;
  const T* kept = derivative_needs_input(activation_) ? z.data() + row * stride : x;
  multiply_by_derivative(activation_, n_samples * stride, kept, before);
}

template <class T>
void Mlp<T>::flush(Tape& tape, std::size_t first_slot, std::size_t n_slots, std::size_t n_samples) const {
  if (!tape.needs_weight_gradient) return;
  MlpTape<T>& t = mine(tape);
  assert(n_slots <= t.n_waiting);
  const std::size_t place = first_slot % t.n_waiting;
  const std::size_t n_straight = std::min(n_slots, t.n_waiting - place);
  flush_rows(t, first_slot * n_samples, place * n_samples, n_straight * n_samples);
  flush_rows(t, (first_slot + n_straight) * n_samples, 0, (n_slots - n_straight) * n_samples);
}

template <class T>
void Mlp<T>::flush_rows(MlpTape<T>& tape, std::size_t row, std::size_t waiting_row,
                        std::size_t n_rows) const {
  if (n_rows == 0) return;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const FeatureLayout<T>& output = layers_[l].output();
    LayerTape<T>& t = tape.layers[l];
    const T* delta = t.delta.data() + waiting_row * output.stride;
    layers_[l].add_gradient(n_rows, t.input.data() + row * layers_[l].input().stride, delta,
                            t.weight_sums.data());
    // With static inputs the first bias is part of their share.
    if (l > 0 || !has_static()) add_rows(n_rows, output.padded, delta, output.stride, t.bias_sums.data());
  }
}

template <class T>
void Mlp<T>::end(Tape& tape, std::size_t n_samples, T* const* grad_inputs) const {
  if (!has_static()) return;
  MlpTape<T>& t = mine(tape);
  StaticTape<T>& fixed = t.fixed;
  const FeatureLayout<T>& output = static_layer_.output();
  if (tape.needs_weight_gradient) {
    static_layer_.add_gradient(n_samples, fixed.input.data(), fixed.delta.data(), fixed.weight_sums.data());
    add_rows(n_samples, output.padded, fixed.delta.data(), output.stride, t.layers.front().bias_sums.data());
  }
  static_layer_.backward(n_samples, fixed.delta.data(), fixed.grad_input.data(), {});
  scatter_add(n_samples, static_inputs_, fixed.grad_input.data(), static_layer_.input().stride, grad_inputs);
  fixed.delta.fill(T{0});
}

template <class T>
void Mlp<T>::clear_weight_gradient(Tape& tape) const {
  MlpTape<T>& t = mine(tape);
  t.fixed.delta.fill(T{0});
  if (!tape.needs_weight_gradient) return;
  for (LayerTape<T>& layer : t.layers) layer.weight_sums.fill(T{0}), layer.bias_sums.fill(T{0});
  t.fixed.weight_sums.fill(T{0});
}

template <class T>
void Mlp<T>::add_weight_gradient(const Tape& tape, T* gradient) const {
  const auto& t = static_cast<const MlpTape<T>&>(tape);
  if (signs_.empty()) return add_sums(t, gradient);
  t.unsigned_gradient.fill(T{0});
  add_sums(t, t.unsigned_gradient.data());
  for (std::size_t i = 0; i < signs_.size(); ++i) gradient[i] += slopes_[i] * t.unsigned_gradient[i];
}

template <class T>
void Mlp<T>::add_sums(const MlpTape<T>& t, T* gradient) const {
  static_layer_.add_to(gradient, t.fixed.weight_sums.data());
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    layers_[l].add_to(gradient + tensors_[2 * l].offset, t.layers[l].weight_sums.data());
    T* bias = gradient + tensors_[2 * l + 1].offset;
    for (std::size_t o = 0; o < layers_[l].output().count; ++o) bias[o] += t.layers[l].bias_sums[o];
  }
}

}  // namespace

template <class T>
std::unique_ptr<Network<T>> make_mlp(const MlpOptions& options) {
  return std::make_unique<Mlp<T>>(options);
}

template std::unique_ptr<Network<float>> make_mlp(const MlpOptions&);
template std::unique_ptr<Network<double>> make_mlp(const MlpOptions&);

}  // namespace greybox
