#include "nn/conditioned_mlp.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nn/activation.hpp"
#include "nn/gemm.hpp"
#include "nn/made_layout.hpp"
#include "nn/maker.hpp"
#include "nn/mlp_tape.hpp"
#include "nn/sample_matrices.hpp"
#include "nn/sample_rows.hpp"

namespace greybox {
namespace {

std::vector<std::size_t> indices_of(std::size_t first, std::size_t end) {
  std::vector<std::size_t> indices(end - first);
  std::iota(indices.begin(), indices.end(), first);
  return indices;
}

std::vector<std::size_t> sizes_of(const ConditionedMlpOptions& options) {
  std::vector<std::size_t> sizes = {options.n_inputs - options.n_conditions};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(options.n_outputs);
  return sizes;
}

template <class T>
struct ConditionedTape : Network<T>::Tape {
  std::size_t n_waiting = 1;  // the delta of slot s is in place s modulo this
  std::vector<LayerTape<T>> layers;
  // Rows of the evaluation in hand; sums of one layer, scaled and shifted once more.
  AlignedBuffer<T> output, grad_input, scaled;
  MakerTape<T> maker;
  mutable AlignedBuffer<T> scratch;
};

template <class T>
class ConditionedMlp final : public Network<T> {
 public:
  using typename Network<T>::Tape;

  explicit ConditionedMlp(const ConditionedMlpOptions& options);

  std::size_t n_inputs() const override { return moving_.size() + conditions_.size(); }
  std::size_t n_outputs() const override { return outputs_.size(); }
  std::span<const WeightTensor> tensors() const override { return tensors_; }
  std::size_t n_weights() const override { return n_weights_; }
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
  static ConditionedTape<T>& mine(Tape& tape) { return static_cast<ConditionedTape<T>&>(tape); }
  void add_tensor(std::string name, std::vector<std::size_t> shape, double bound);
  void add_tensors(const ConditionedMlpOptions& options);
  std::size_t n_layers() const { return layers_.size(); }
  // What is made stands in these rows of the maker's tape.
  std::size_t made_row(std::size_t slot, std::size_t n_samples) const {
    return is_made_once_ ? 0 : slot * n_samples;
  }
  SampleMatrices size_of(std::size_t layer, std::size_t n_samples) const {
    const MadeLayout::Part& part = layout_.parts[layer];
    return {n_samples, part.n_inputs, part.width, maker_.stride()};
  }
  std::size_t place_of(std::size_t layer, std::size_t row) const {
    return row * maker_.stride() + layout_.parts[layer].offset;
  }
  void hidden_forward(ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                      std::size_t n_samples) const;
  void product(const ConditionedTape<T>& tape, std::size_t layer, std::size_t slot, std::size_t n_samples,
               T* z) const;
  void hidden_backward(ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                       std::size_t n_samples) const;
  void product_backward(const ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                        std::size_t n_samples, T* grad_x) const;
  void add_gradients(ConditionedTape<T>& tape, std::size_t slot, std::size_t n_slots,
                     std::size_t n_samples) const;

  std::vector<std::size_t> sizes_, moving_, conditions_, outputs_;
  Activation activation_;
  bool is_film_, is_made_once_;
  bool keeps_sums_;  // of hidden layers
  std::vector<WeightTensor> tensors_;
  std::size_t n_weights_ = 0;
  // The layers' own tensors; of the maker, its hidden ones and then the rows of its last layer, whose offsets
  // are `offsets_` on: where weights are made, the layers' own ones.
  std::size_t maker_hidden_ = 0, maker_rows_ = 0, maker_offsets_ = 0;
  std::vector<DenseLayer<T>> layers_;
  std::vector<AlignedBuffer<T>> biases_;
  MadeLayout layout_;
  Maker<T> maker_;
  const SampleMatrixKernels<T>& kernels_ = sample_matrix_kernels<T>();
};

template <class T>
ConditionedMlp<T>::ConditionedMlp(const ConditionedMlpOptions& options)
    : sizes_(sizes_of(options)),
      moving_(indices_of(0, options.n_inputs - options.n_conditions)),
      conditions_(indices_of(options.n_inputs - options.n_conditions, options.n_inputs)),
      outputs_(indices_of(0, options.n_outputs)),
      activation_(options.activation),
      is_film_(options.made == MadeWeights::scales_and_shifts),
      is_made_once_(!options.is_static.empty() &&
                    std::all_of(conditions_.begin(), conditions_.end(),
                                [&](std::size_t i) { return options.is_static[i]; })),
      keeps_sums_(is_film_ || derivative_needs_input(options.activation)),
      layout_(made_layout<T>(sizes_, options.made)),
      maker_(conditions_.size(), options.n_made_by, layout_.places, layout_.n_places,
             is_film_ ? 1 : 1 / static_cast<double>(options.n_made_by), options.activation) {
  for (std::size_t l = 0; l + 1 < sizes_.size(); ++l) {
    layers_.emplace_back(sizes_[l + 1], sizes_[l], indices_of(0, sizes_[l]), false);
    biases_.emplace_back(layers_.back().output().padded);
  }
  add_tensors(options);
}

template <class T>
void ConditionedMlp<T>::add_tensor(std::string name, std::vector<std::size_t> shape, double bound) {
  tensors_.push_back(
      {.name = std::move(name), .shape = std::move(shape), .offset = n_weights_, .bound = bound});
  n_weights_ += tensors_.back().size();
}

// What is added to a weight is a mean over the hidden units: else each update would change the weight by as
// many times the rate as there are units.
template <class T>
void ConditionedMlp<T>::add_tensors(const ConditionedMlpOptions& options) {
  const auto bound_of = [](std::size_t n_columns) { return 1 / std::sqrt(static_cast<double>(n_columns)); };
  const auto add_layer = [&](const std::string& name, std::size_t n_rows, std::size_t n_columns) {
    add_tensor(name + ".weight", {n_rows, n_columns}, bound_of(n_columns));
    add_tensor(name + ".bias", {n_rows}, bound_of(n_columns));
  };
  for (std::size_t l = 0; l < n_layers(); ++l) add_layer(std::to_string(l), sizes_[l + 1], sizes_[l]);
  maker_hidden_ = n_weights_;
  add_layer("maker.0", options.n_made_by, options.n_conditions);
  maker_rows_ = n_weights_;
  if (is_film_) {
    add_layer("maker.1", layout_.places.size(), options.n_made_by);
    maker_offsets_ = tensors_.back().offset;
    return;
  }
  for (std::size_t l = 0; l < n_layers(); ++l) {
    const std::string name = std::to_string(l);
    const double bound = bound_of(sizes_[l]);
    add_tensor(name + ".weight.slope", {sizes_[l + 1], sizes_[l], options.n_made_by}, bound);
    add_tensor(name + ".bias.slope", {sizes_[l + 1], options.n_made_by}, bound);
  }
}

template <class T>
auto ConditionedMlp<T>::make_tape(std::size_t capacity, std::size_t n_slots) const -> std::unique_ptr<Tape> {
  auto tape = std::make_unique<ConditionedTape<T>>();
  tape->n_waiting = std::min(n_slots, kMaxFlush);
  for (const DenseLayer<T>& layer : layers_)
    tape->layers.emplace_back(layer, n_slots * capacity, tape->n_waiting * capacity,
                              keeps_sums_ && &layer != &layers_.back());
  std::size_t widest = 0;
  for (const DenseLayer<T>& layer : layers_) widest = std::max(widest, layer.output().stride);
  tape->output = AlignedBuffer<T>(capacity * layers_.back().output().stride);
  tape->grad_input = AlignedBuffer<T>(capacity * layers_.front().input().stride);
  tape->scaled = AlignedBuffer<T>(is_film_ ? capacity * widest : 0);
  tape->maker = maker_.make_tape(is_made_once_ ? capacity : n_slots * capacity);
  tape->scratch = AlignedBuffer<T>(maker_.scratch_size());
  return tape;
}

template <class T>
void ConditionedMlp<T>::set_weights(const T* weights) {
  maker_.set_weights(weights + maker_hidden_, weights + maker_rows_, weights + maker_offsets_);
  if (!is_film_) return;
  for (std::size_t l = 0; l < n_layers(); ++l) {
    layers_[l].set_weights(weights + tensors_[2 * l].offset);
    std::copy_n(weights + tensors_[2 * l + 1].offset, sizes_[l + 1], biases_[l].data());
  }
}

template <class T>
void ConditionedMlp<T>::begin(Tape& tape, std::size_t n_samples, const T* const* inputs) const {
  if (is_made_once_) maker_.make(mine(tape).maker, 0, n_samples, conditions_, inputs);
}

template <class T>
void ConditionedMlp<T>::forward(Tape& tape, std::size_t slot, std::size_t, std::size_t n_samples,
                                const T* const* inputs, T* const* outputs) const {
  ConditionedTape<T>& t = mine(tape);
  if (!is_made_once_) maker_.make(t.maker, slot * n_samples, n_samples, conditions_, inputs);
  const std::size_t input_stride = layers_.front().input().stride, last = n_layers() - 1;
  gather(n_samples, moving_, inputs, t.layers.front().input.data() + slot * n_samples * input_stride,
         input_stride);
  for (std::size_t l = 0; l < last; ++l) hidden_forward(t, l, slot, n_samples);
  product(t, last, slot, n_samples, t.output.data());
  scatter(n_samples, t.output.data(), layers_[last].output().stride, outputs_.size(), outputs);
}

template <class T>
void ConditionedMlp<T>::hidden_forward(ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                                       std::size_t n_samples) const {
  const std::size_t stride = layers_[layer].output().stride, row = slot * n_samples;
  T* y = tape.layers[layer + 1].input.data() + row * stride;
  T* z = keeps_sums_ ? tape.layers[layer].preactivation.data() + row * stride : y;
  product(tape, layer, slot, n_samples, z);
  if (!is_film_) return activate(activation_, n_samples * stride, z, y);
  const std::size_t first = place_of(layer, made_row(slot, n_samples));
  kernels_.scale_and_shift(size_of(layer, n_samples), tape.maker.made.data() + first, {z, stride},
                           {y, stride});
  activate(activation_, n_samples * stride, y, y);
}

// The sums of a layer, as its own matrix or that of each sample has them.
template <class T>
void ConditionedMlp<T>::product(const ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                                std::size_t n_samples, T* z) const {
  const DenseLayer<T>& dense = layers_[layer];
  const T* x = tape.layers[layer].input.data() + slot * n_samples * dense.input().stride;
  if (is_film_) return dense.forward(n_samples, x, z, {.start = biases_[layer].data()});
  const std::size_t first = place_of(layer, made_row(slot, n_samples));
  kernels_.multiply(size_of(layer, n_samples), tape.maker.made.data() + first, {x, dense.input().stride},
                    {z, dense.output().stride});
}

template <class T>
void ConditionedMlp<T>::backward(Tape& tape, std::size_t slot, std::size_t, std::size_t n_samples,
                                 const T* const* grad_outputs, T* const* grad_inputs) const {
  ConditionedTape<T>& t = mine(tape);
  const std::size_t output_stride = layers_.back().output().stride;
  const std::size_t row = made_row(slot, n_samples);
  if (!is_made_once_)
    std::fill_n(t.maker.grad_made.data() + row * maker_.stride(), n_samples * maker_.stride(), T{0});
  gather(n_samples, outputs_, grad_outputs,
         t.layers.back().delta.data() + slot % t.n_waiting * n_samples * output_stride, output_stride);
  for (std::size_t l = n_layers() - 1; l > 0; --l) hidden_backward(t, l, slot, n_samples);
  product_backward(t, 0, slot, n_samples, t.grad_input.data());
  scatter_add(n_samples, moving_, t.grad_input.data(), layers_.front().input().stride, grad_inputs);
  if (is_made_once_) return;
  if (!is_film_) add_gradients(t, slot, 1, n_samples);
  maker_.pull_back(t.maker, row, n_samples, conditions_, grad_inputs, tape.needs_weight_gradient);
}

// From the gradient of a layer's sums to that of the layer before.
template <class T>
void ConditionedMlp<T>::hidden_backward(ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                                        std::size_t n_samples) const {
  const std::size_t stride = layers_[layer].input().stride, row = slot * n_samples;
  T* before = tape.layers[layer - 1].delta.data() + slot % tape.n_waiting * n_samples * stride;
  product_backward(tape, layer, slot, n_samples, before);
  const T* z = keeps_sums_ ? tape.layers[layer - 1].preactivation.data() + row * stride : nullptr;
  const std::size_t first = is_film_ ? place_of(layer - 1, made_row(slot, n_samples)) : 0;
  const T* kept = derivative_needs_input(activation_) ? z : tape.layers[layer].input.data() + row * stride;
  if (is_film_ && derivative_needs_input(activation_)) {
    kernels_.scale_and_shift(size_of(layer - 1, n_samples), tape.maker.made.data() + first, {z, stride},
                             {tape.scaled.data(), stride});
    kept = tape.scaled.data();
  }
  multiply_by_derivative(activation_, n_samples * stride, kept, before);
  if (is_film_)
    kernels_.scale_and_shift_backward(size_of(layer - 1, n_samples), tape.maker.made.data() + first,
                                      {z, stride}, {before, stride}, tape.maker.grad_made.data() + first);
}

template <class T>
void ConditionedMlp<T>::product_backward(const ConditionedTape<T>& tape, std::size_t layer, std::size_t slot,
                                         std::size_t n_samples, T* grad_x) const {
  const DenseLayer<T>& dense = layers_[layer];
  const T* delta =
      tape.layers[layer].delta.data() + slot % tape.n_waiting * n_samples * dense.output().stride;
  if (is_film_) return dense.backward(n_samples, delta, grad_x, {});
  const std::size_t first = place_of(layer, made_row(slot, n_samples));
  kernels_.multiply_transposed(size_of(layer, n_samples), tape.maker.made.data() + first,
                               {delta, dense.output().stride}, {grad_x, dense.input().stride});
}

template <class T>
void ConditionedMlp<T>::flush(Tape& tape, std::size_t first_slot, std::size_t n_slots,
                              std::size_t n_samples) const {
  ConditionedTape<T>& t = mine(tape);
  // Gradients of the conditions come through what is made, also where those of the weights are not needed.
  const bool is_done = is_film_ ? !tape.needs_weight_gradient : !is_made_once_;
  if (is_done) return;
  const std::size_t place = first_slot % t.n_waiting, n_straight = std::min(n_slots, t.n_waiting - place);
  add_gradients(t, first_slot + n_straight, n_slots - n_straight, n_samples);
  add_gradients(t, first_slot, n_straight, n_samples);
}

// Slots whose deltas stand one after another.
template <class T>
void ConditionedMlp<T>::add_gradients(ConditionedTape<T>& tape, std::size_t slot, std::size_t n_slots,
                                      std::size_t n_samples) const {
  if (n_slots == 0) return;
  for (std::size_t l = 0; l < n_layers(); ++l) {
    const std::size_t stride = layers_[l].output().stride, n_rows = n_slots * n_samples;
    LayerTape<T>& of_layer = tape.layers[l];
    const T* x = of_layer.input.data() + slot * n_samples * layers_[l].input().stride;
    const T* delta = of_layer.delta.data() + slot % tape.n_waiting * n_samples * stride;
    if (is_film_) {
      layers_[l].add_gradient(n_rows, x, delta, of_layer.weight_sums.data());
      add_rows(n_rows, layers_[l].output().padded, delta, static_cast<std::ptrdiff_t>(stride),
               of_layer.bias_sums.data());
    } else {
      kernels_.add_outer_products(size_of(l, n_samples), n_slots, {x, layers_[l].input().stride},
                                  {delta, stride},
                                  tape.maker.grad_made.data() + place_of(l, made_row(slot, n_samples)));
    }
  }
}

template <class T>
void ConditionedMlp<T>::end(Tape& tape, std::size_t n_samples, T* const* grad_inputs) const {
  if (!is_made_once_) return;
  ConditionedTape<T>& t = mine(tape);
  maker_.pull_back(t.maker, 0, n_samples, conditions_, grad_inputs, tape.needs_weight_gradient);
  t.maker.grad_made.fill(T{0});
}

template <class T>
void ConditionedMlp<T>::clear_weight_gradient(Tape& tape) const {
  ConditionedTape<T>& t = mine(tape);
  if (is_made_once_) t.maker.grad_made.fill(T{0});
  if (!tape.needs_weight_gradient) return;
  for (LayerTape<T>& layer : t.layers) layer.weight_sums.fill(T{0}), layer.bias_sums.fill(T{0});
  maker_.clear_weight_gradient(t.maker);
}

template <class T>
void ConditionedMlp<T>::add_weight_gradient(const Tape& tape, T* gradient) const {
  const auto& t = static_cast<const ConditionedTape<T>&>(tape);
  maker_.add_weight_gradient(t.maker, gradient + maker_hidden_, gradient + maker_rows_,
                             gradient + maker_offsets_, t.scratch);
  if (!is_film_) return;
  for (std::size_t l = 0; l < n_layers(); ++l) {
    layers_[l].add_to(gradient + tensors_[2 * l].offset, t.layers[l].weight_sums.data());
    T* bias = gradient + tensors_[2 * l + 1].offset;
    for (std::size_t o = 0; o < sizes_[l + 1]; ++o) bias[o] += t.layers[l].bias_sums[o];
  }
}

}  // namespace

template <class T>
std::unique_ptr<Network<T>> make_conditioned_mlp(const ConditionedMlpOptions& options) {
  return std::make_unique<ConditionedMlp<T>>(options);
}

template std::unique_ptr<Network<float>> make_conditioned_mlp(const ConditionedMlpOptions&);
template std::unique_ptr<Network<double>> make_conditioned_mlp(const ConditionedMlpOptions&);

}  // namespace greybox
