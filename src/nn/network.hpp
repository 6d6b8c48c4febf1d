// A network: a differentiable map from per-sample inputs to per-sample outputs, with its weights in one flat
// vector.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace greybox {

enum class Activation { leaky_relu, relu, tanh, silu, softplus, gelu, sigmoid };

// One tensor of weights inside a network's flat vector; name and shape are those of weights.npz.
struct WeightTensor {
  std::string name;  // "0.weight", "0.bias", "0.norm.weight"; the model prefixes the network's name
  std::vector<std::size_t> shape;  // PyTorch's: out × in, or out × in × kernel height × kernel width
  std::size_t offset = 0;          // into the flat vector, row-major
  double bound = 0;                // initialised uniformly on ±bound around `centre`
  double centre = 0;
  std::size_t size() const;
};

// A network works on blocks of samples. Inputs and outputs are arrays over the block's samples, one per
// component: n values for a scalar, n × points for a field. Memory that belongs to one block of samples
// (activations of every evaluation that will be differentiated, gradient sums) is a `Tape`; a tape has
// `n_slots` slots, one per evaluation to be kept. The weights are shared by all blocks. Nothing here
// allocates after construction.
template <class T>
class Network {
 public:
  class Tape {
   public:
    virtual ~Tape() = default;
    // Whether the way back makes the gradients of the weights too, or only those of the inputs.
    bool needs_weight_gradient = true;
  };

  virtual ~Network() = default;
  virtual std::size_t n_inputs() const = 0;
  virtual std::size_t n_outputs() const = 0;
  virtual std::span<const WeightTensor> tensors() const = 0;
  virtual std::size_t n_weights() const = 0;

  // Memory for blocks of at most `capacity` samples and `n_slots` kept evaluations (1 when nothing is
  // differentiated).
  virtual std::unique_ptr<Tape> make_tape(std::size_t capacity, std::size_t n_slots) const = 0;

  // Takes over new weights (in the layout of `tensors`), once per optimiser step: packs them for the kernels.
  virtual void set_weights(const T* weights) = 0;

  // A network may need quantities of the whole batch (batch norm): it then runs in several phases, and
  // between phase p and p + 1 every block gives `n_given` numbers. The caller calls join_forward
  // (join_backward) with those of all blocks, in block order; the tapes may be of some blocks only.
  virtual std::size_t n_phases() const { return 1; }
  virtual std::size_t n_given() const { return 0; }
  virtual void give(const Tape&, double* values) const { (void)values; }

  // Inputs that stay the same along a trajectory (`is_static` of the constructor) are handed over here, once
  // per sample and before the first forward; forward then ignores those entries of `inputs`.
  virtual void begin(Tape&, std::size_t n_samples, const T* const* inputs) const = 0;

  // Phase `phase` of the evaluation kept in `slot`; outputs are written in the last phase.
  virtual void forward(Tape&, std::size_t slot, std::size_t phase, std::size_t n_samples,
                       const T* const* inputs, T* const* outputs) const = 0;
  virtual void join_forward(std::span<Tape* const>, std::span<const double> given, std::size_t slot,
                            std::size_t phase) const {
    (void)given, (void)slot, (void)phase;
  }

  // The same backward, phases last to first: reads the gradients of the outputs (in the last phase) and
  // *adds* to the gradients of the inputs (in phase 0; a null entry is not wanted; static inputs are left to
  // `end`). Gradients of the weights gather in the tape, if it needs them.
  virtual void backward(Tape&, std::size_t slot, std::size_t phase, std::size_t n_samples,
                        const T* const* grad_outputs, T* const* grad_inputs) const = 0;
  virtual void join_backward(std::span<Tape* const>, std::span<const double> given, std::size_t slot,
                             std::size_t phase) const {
    (void)given, (void)slot, (void)phase;
  }

  // After the backward of slots [first, first + n_slots): lets the network make their weight gradients in one
  // larger product. Slots of one solver step are flushed together; a slot that was flushed may go
  // backward again, with another gradient that adds to the sums.
  virtual void flush(Tape&, std::size_t first_slot, std::size_t n_slots, std::size_t n_samples) const = 0;

  // Gradients of the static inputs, added; once per sample, after the last backward.
  virtual void end(Tape&, std::size_t n_samples, T* const* grad_inputs) const = 0;

  // Gradient sums of a tape: cleared before a backward sweep; then added, tape after tape, to a flat vector
  // in the layout of `tensors`.
  virtual void clear_weight_gradient(Tape&) const = 0;
  virtual void add_weight_gradient(const Tape&, T* gradient) const = 0;
};

}  // namespace greybox
