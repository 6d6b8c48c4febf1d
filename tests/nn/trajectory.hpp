// Drives a fully connected network through several evaluations and back, as a solver would.
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "nn/mlp.hpp"

namespace greybox::test {

// A network with a tape, and inputs and output gradients for every slot, run as a solver would run it.
template <class T>
struct Trajectory {
  Trajectory(const MlpOptions& o, std::size_t n, std::size_t slots, std::size_t capacity)
      : options(o),
        n_samples(n),
        n_slots(slots),
        network(make_mlp<T>(o)),
        tape(network->make_tape(capacity, slots)),
        weights(random(network->n_weights())),
        inputs(random(slots * o.n_inputs * n)),
        outputs(slots * o.n_outputs * n),
        grad_outputs(random(slots * o.n_outputs * n)),
        grad_inputs(inputs.size()),
        gradient(network->n_weights()) {
    network->set_weights(weights.data());
  }

  std::vector<T> random(std::size_t n) {
    std::vector<T> values(n);
    std::uniform_real_distribution<T> uniform(T(-0.8), T(0.8));
    for (T& x : values) x = uniform(engine);
    return values;
  }

  bool is_static(std::size_t i) const { return !options.is_static.empty() && options.is_static[i]; }

  template <class Values>
  void point(std::vector<decltype(std::declval<Values&>().data())>& to, Values& from, std::size_t slot,
             std::size_t count) const {
    to.resize(count);
    for (std::size_t i = 0; i < count; ++i) to[i] = from.data() + (slot * count + i) * n_samples;
  }

  // Static inputs are those of slot 0.
  void forward() {
    point(in, inputs, 0, options.n_inputs);
    network->begin(*tape, n_samples, in.data());
    for (std::size_t slot = 0; slot < n_slots; ++slot) {
      point(in, inputs, slot, options.n_inputs);
      point(out, outputs, slot, options.n_outputs);
      for (std::size_t i = 0; i < options.n_inputs; ++i) {
        if (is_static(i)) in[i] = nullptr;
      }
      network->forward(*tape, slot, 0, n_samples, in.data(), out.data());
    }
  }

  // Slots last to first, flushed in groups of `group`.
  void backward(std::size_t group) {
    network->clear_weight_gradient(*tape);
    for (std::size_t end = n_slots; end > 0;) {
      const std::size_t first = (end - 1) / group * group;
      for (std::size_t slot = end; slot-- > first;) {
        point(out, grad_outputs, slot, options.n_outputs);
        point(grad_in, grad_inputs, slot, options.n_inputs);
        network->backward(*tape, slot, 0, n_samples, out.data(), grad_in.data());
      }
      network->flush(*tape, first, end - first, n_samples);
      end = first;
    }
    point(grad_in, grad_inputs, 0, options.n_inputs);
    network->end(*tape, n_samples, grad_in.data());
    network->add_weight_gradient(*tape, gradient.data());
  }

  // The scalar whose gradient backward computes.
  double objective() {
    network->set_weights(weights.data());
    forward();
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) sum += static_cast<double>(outputs[i]) * grad_outputs[i];
    return sum;
  }

  std::mt19937 engine{3};
  MlpOptions options;
  std::size_t n_samples, n_slots;
  std::unique_ptr<Network<T>> network;
  std::unique_ptr<typename Network<T>::Tape> tape;
  std::vector<T> weights, inputs, outputs, grad_outputs, grad_inputs, gradient;
  std::vector<T*> in, out, grad_in;
};

}  // namespace greybox::test
