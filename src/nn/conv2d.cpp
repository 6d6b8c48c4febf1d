// The convolutional network: phases, joins of batch statistics, and weights.
#include "nn/conv2d.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "core/lending_pool.hpp"
#include "nn/conv_evaluation.hpp"

namespace greybox {
namespace {

void check(const Conv2dOptions& options) {
  const auto refuse_unless = [](bool fine, const char* message) {
    if (!fine) throw std::invalid_argument(message);
  };
  refuse_unless(options.n_inputs > 0, "a conv2d network needs at least one input field");
  refuse_unless(options.n_outputs > 0, "a conv2d network needs at least one output field");
  refuse_unless(options.height > 0 && options.width > 0,
                "a conv2d network needs fields of at least 1 × 1 points");
  refuse_unless(!options.is_line || options.height == 1, "a conv1d network needs fields of one row");
  refuse_unless(options.kernel % 2 == 1,
                "the kernel of a conv2d network must be odd, so that it has a centre");
  refuse_unless(std::count(options.channels.begin(), options.channels.end(), 0u) == 0,
                "every hidden layer of a conv2d network needs at least one channel");
}

template <class T>
class Conv2d final : public Network<T> {
 public:
  using Tape = typename Network<T>::Tape;

  // A thread needs one workspace at a time; of threads there are seldom more than processors.
  explicit Conv2d(const Conv2dOptions& options)
      : stack_(options), workspaces_(std::max(1U, std::thread::hardware_concurrency()), [this] {
          return std::make_unique<ConvWorkspace<T>>(stack_.layers);
        }) {
    for (std::size_t i = 0; i < stack_.layers.size(); ++i) stack_.layers[i].append_tensors(i, tensors_);
  }

  std::size_t n_inputs() const override { return stack_.options.n_inputs; }
  std::size_t n_outputs() const override { return stack_.options.n_outputs; }
  std::span<const WeightTensor> tensors() const override { return tensors_; }
  std::size_t n_weights() const override { return tensors_.back().offset + tensors_.back().size(); }
  std::unique_ptr<Tape> make_tape(std::size_t capacity, std::size_t n_slots) const override;
  void set_weights(const T* weights) override {
    for (ConvLayer<T>& layer : stack_.layers) layer.set_weights(weights);
  }
  std::size_t n_phases() const override { return stack_.is_joined() ? stack_.layers.size() : 1; }

  void begin(Tape&, std::size_t, const T* const*) const override {}
  void forward(Tape& tape, std::size_t slot, std::size_t phase, std::size_t n_samples, const T* const* inputs,
               T* const* outputs) const override;
  // Sums over the block's pixels, and the pivot that they were taken around.
  std::size_t n_given() const override { return stack_.is_joined() ? 1 + 3 * most_channels() : 0; }
  void give(const Tape& tape, double* values) const override;
  void join_forward(std::span<Tape* const> tapes, std::span<const double> given, std::size_t slot,
                    std::size_t phase) const override;
  void backward(Tape& tape, std::size_t slot, std::size_t phase, std::size_t n_samples,
                const T* const* grad_outputs, T* const* grad_inputs) const override;
  void join_backward(std::span<Tape* const> tapes, std::span<const double> given, std::size_t slot,
                     std::size_t phase) const override;
  // Weight gradients are made in backward, where the activated images are at hand.
  void flush(Tape&, std::size_t, std::size_t, std::size_t) const override {}
  void end(Tape&, std::size_t, T* const*) const override {}

  void clear_weight_gradient(Tape& tape) const override;
  void add_weight_gradient(const Tape& tape, T* gradient) const override;

 private:
  using Workspaces = LendingPool<ConvWorkspace<T>>;

  static Conv2dTape<T>& own(Tape& tape) { return static_cast<Conv2dTape<T>&>(tape); }
  // Of any layer, in whole panels.
  std::size_t most_channels() const {
    std::size_t n = 0;
    for (const ConvLayer<T>& layer : stack_.layers) n = std::max(n, layer.stride());
    return n;
  }

  struct LayerRange {
    std::size_t first, end;
  };
  LayerRange layers_of(std::size_t phase) const {
    return stack_.is_joined() ? LayerRange{phase, phase + 1} : LayerRange{0, stack_.layers.size()};
  }

  ConvStack<T> stack_;
  mutable Workspaces workspaces_;
  std::vector<WeightTensor> tensors_;
};

template <class T>
auto Conv2d<T>::make_tape(std::size_t capacity, std::size_t n_slots) const -> std::unique_ptr<Tape> {
  workspaces_.expect_borrower();
  const std::size_t n_channels = most_channels();
  auto tape = std::make_unique<Conv2dTape<T>>(capacity, n_channels, stack_.n_pixels() * n_channels,
                                              stack_.is_joined() ? capacity : 1);
  const std::size_t n_kept = capacity * n_slots;
  const std::size_t n_statistics =
      stack_.is_joined() ? n_slots : (stack_.options.norm == Norm::instance ? n_kept : 1);
  tape->layers.reserve(stack_.layers.size());
  for (const ConvLayer<T>& layer : stack_.layers)
    tape->layers.emplace_back(layer, capacity, n_kept, n_statistics);
  return tape;
}

template <class T>
void Conv2d<T>::forward(Tape& tape, std::size_t slot, std::size_t phase, std::size_t n_samples,
                        const T* const* inputs, T* const* outputs) const {
  const typename Workspaces::Loan workspace(workspaces_);
  own(tape).sums.clear();
  const auto [first, end] = layers_of(phase);
  for (std::size_t sample = 0; sample < n_samples; ++sample) {
    const ConvEvaluation<T> at{stack_, own(tape), *workspace, slot, sample};
    for (std::size_t layer = first; layer < end; ++layer) forward_layer(at, layer, inputs, outputs);
  }
}

template <class T>
void Conv2d<T>::give(const Tape& tape, double* values) const {
  const auto& block = static_cast<const Conv2dTape<T>&>(tape);
  block.sums.write(values);
  for (std::size_t c = 0; c < block.pivot.size(); ++c)
    values[block.sums.n_numbers() + c] = static_cast<double>(block.pivot[c]);
}

template <class T>
void Conv2d<T>::join_forward(std::span<Tape* const> tapes, std::span<const double> given, std::size_t slot,
                             std::size_t phase) const {
  if (!stack_.is_joined() || phase >= stack_.n_hidden() || tapes.empty()) return;
  ChannelMoments& moments = own(*tapes[0]).moments;
  ChannelSums& of_block = own(*tapes[0]).joined;
  moments.clear();
  for (std::size_t at = 0; at < given.size(); at += n_given()) {
    of_block.read(given.data() + at);
    moments.add(of_block, given.data() + at + of_block.n_numbers());
  }
  for (Tape* tape : tapes) {
    own(*tape).finish_statistics(moments, phase, slot * stack_.layers[phase].stride());
  }
}

template <class T>
void Conv2d<T>::backward(Tape& tape, std::size_t slot, std::size_t phase, std::size_t n_samples,
                         const T* const* grad_outputs, T* const* grad_inputs) const {
  const typename Workspaces::Loan workspace(workspaces_);
  own(tape).sums.clear();
  const auto [first, end] = layers_of(phase);
  for (std::size_t sample = 0; sample < n_samples; ++sample) {
    const ConvEvaluation<T> at{stack_, own(tape), *workspace, slot, sample};
    for (std::size_t layer = end; layer-- > first;) backward_layer(at, layer, grad_outputs, grad_inputs);
  }
  if (stack_.is_joined() && phase > 0) {
    own(tape).finish_gradient(phase - 1, slot * stack_.layers[phase - 1].stride());
  }
}

// A tape's own sums have been taken in by `backward` before.
template <class T>
void Conv2d<T>::join_backward(std::span<Tape* const> tapes, std::span<const double> given, std::size_t,
                              std::size_t) const {
  if (!stack_.is_joined() || tapes.empty()) return;
  ChannelSums &joined = own(*tapes[0]).joined, &of_block = own(*tapes[0]).sums;
  joined.clear();
  for (std::size_t at = 0; at < given.size(); at += n_given()) {
    of_block.read(given.data() + at);
    joined.add(of_block);
  }
  for (Tape* tape : tapes.subspan(1)) own(*tape).joined = joined;
}

template <class T>
void Conv2d<T>::clear_weight_gradient(Tape& tape) const {
  if (!tape.needs_weight_gradient) return;
  for (ConvLayerTape<T>& values : own(tape).layers) {
    values.grad_filter.fill(0);
    std::fill(values.grad_shift.begin(), values.grad_shift.end(), 0.0);
    std::fill(values.grad_scale.begin(), values.grad_scale.end(), 0.0);
  }
}

// A bias in front of a norm is taken away again with the mean: its gradient is exactly zero.
template <class T>
void Conv2d<T>::add_weight_gradient(const Tape& tape, T* gradient) const {
  const auto add = [](std::size_t n, const std::vector<double>& sums, T* to) {
    for (std::size_t i = 0; i < n; ++i) to[i] += static_cast<T>(sums[i]);
  };
  for (std::size_t i = 0; i < stack_.layers.size(); ++i) {
    const ConvLayer<T>& layer = stack_.layers[i];
    const ConvLayerTape<T>& values = static_cast<const Conv2dTape<T>&>(tape).layers[i];
    layer.gradient().unpack(values.grad_filter.data(), gradient + layer.offsets().weight);
    const bool has_norm = !layer.is_last() && stack_.options.norm != Norm::none;
    if (!has_norm) add(layer.n_outputs(), values.grad_shift, gradient + layer.offsets().bias);
    if (layer.has_norm_weights()) {
      add(layer.n_outputs(), values.grad_scale, gradient + layer.offsets().norm_weight);
      add(layer.n_outputs(), values.grad_shift, gradient + layer.offsets().norm_bias);
    }
  }
}

}  // namespace

template <class T>
std::unique_ptr<Network<T>> make_conv2d(const Conv2dOptions& options) {
  check(options);
  return std::make_unique<Conv2d<T>>(options);
}

template std::unique_ptr<Network<float>> make_conv2d(const Conv2dOptions&);
template std::unique_ptr<Network<double>> make_conv2d(const Conv2dOptions&);

}  // namespace greybox
