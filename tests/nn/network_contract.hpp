// Drives any network through several evaluations and back, in one or more blocks, as the engine does.
#pragma once

#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "nn/given_by.hpp"
#include "nn/network_kind.hpp"

namespace greybox::test {

// Which sweep backward is asked for.
struct BackwardOptions {
  std::size_t group = 1;  // slots flushed together
  bool needs_weight_gradient = true;
  bool wants_first_input = true;
};

// Values are held as slot × component × sample × point. Static inputs are those of slot 0 throughout.
template <class T>
class ContractRun {
  std::mt19937 engine_{3};  // before the values that are drawn from it

 public:
  ContractRun(const NetworkKind& kind, const NetworkConfig& network_config,
              std::vector<std::size_t> block_sizes, std::size_t slots)
      : config(network_config),
        blocks(std::move(block_sizes)),
        n_slots(slots),
        points(kind.domain == Domain::fields ? config.points() : 1),
        n_values(points * std::accumulate(blocks.begin(), blocks.end(), std::size_t{0})),
        network(kind.make<T>(config)),
        weights(random(network->n_weights())),
        inputs(random(n_slots * config.n_inputs * n_values)),
        outputs(n_slots * config.n_outputs * n_values),
        grad_outputs(random(outputs.size())),
        grad_inputs(inputs.size()),
        grad_weights(weights.size()),
        given_(*network, blocks.size()),
        pointers_(config.n_inputs),
        output_pointers_(config.n_outputs) {
    for (std::size_t n : blocks) {
      // A block at the end of an epoch is smaller than its tape.
      tapes_.push_back(network->make_tape(n + 2, n_slots));
      tape_pointers_.push_back(tapes_.back().get());
    }
  }

  bool is_static(std::size_t input) const { return !config.is_static.empty() && config.is_static[input]; }

  void forward() {
    network->set_weights(weights.data());
    for_blocks([&](std::size_t b, std::size_t first) {
      network->begin(*tapes_[b], blocks[b], input_pointers(inputs, 0, first));
    });
    for (std::size_t slot = 0; slot < n_slots; ++slot)
      for (std::size_t phase = 0; phase < network->n_phases(); ++phase) {
        for_blocks([&](std::size_t b, std::size_t first) {
          network->forward(*tapes_[b], slot, phase, blocks[b], input_pointers(inputs, slot, first),
                           outputs_at(outputs, slot, first));
        });
        if (phase + 1 < network->n_phases())
          network->join_forward(tape_pointers_, given_(tape_pointers_), slot, phase);
      }
  }

  // Gradients of the inputs start from 1, because backward adds.
  void backward(const BackwardOptions& how) {
    std::fill(grad_inputs.begin(), grad_inputs.end(), T{1});
    std::fill(grad_weights.begin(), grad_weights.end(), T{0});
    wants_first_input_ = how.wants_first_input;
    for (auto* tape : tape_pointers_) {
      tape->needs_weight_gradient = how.needs_weight_gradient;
      network->clear_weight_gradient(*tape);
    }
    for (std::size_t end = n_slots; end > 0;) {
      const std::size_t first_slot = (end - 1) / how.group * how.group;
      for (std::size_t slot = end; slot-- > first_slot;) backward_slot(slot);
      for_blocks([&](std::size_t b, std::size_t) {
        network->flush(*tapes_[b], first_slot, end - first_slot, blocks[b]);
      });
      end = first_slot;
    }
    for_blocks([&](std::size_t b, std::size_t first) {
      network->end(*tapes_[b], blocks[b], input_pointers(grad_inputs, 0, first));
      if (how.needs_weight_gradient) network->add_weight_gradient(*tapes_[b], grad_weights.data());
    });
    wants_first_input_ = true;
    for (T& g : grad_inputs) g -= 1;
  }

  // The scalar that backward differentiates.
  double objective() {
    forward();
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) sum += static_cast<double>(outputs[i] * grad_outputs[i]);
    return sum;
  }

  NetworkConfig config;
  std::vector<std::size_t> blocks;
  std::size_t n_slots, points, n_values;
  std::unique_ptr<Network<T>> network;
  std::vector<T> weights, inputs, outputs, grad_outputs, grad_inputs, grad_weights;

 private:
  using Tape = typename Network<T>::Tape;

  std::vector<T> random(std::size_t n) {
    std::vector<T> values(n);
    std::uniform_real_distribution<double> uniform(-0.8, 0.8);
    for (T& x : values) x = static_cast<T>(uniform(engine_));
    return values;
  }

  template <class Visit>
  void for_blocks(Visit visit) {
    std::size_t first = 0;
    for (std::size_t b = 0; b < blocks.size(); first += blocks[b++] * points) visit(b, first);
  }

  T* const* input_pointers(std::vector<T>& values, std::size_t slot, std::size_t first) {
    for (std::size_t i = 0; i < config.n_inputs; ++i) {
      const std::size_t from = is_static(i) ? 0 : slot;
      pointers_[i] = values.data() + (from * config.n_inputs + i) * n_values + first;
    }
    if (!wants_first_input_) pointers_[0] = nullptr;
    return pointers_.data();
  }

  T* const* outputs_at(std::vector<T>& values, std::size_t slot, std::size_t first) {
    for (std::size_t o = 0; o < config.n_outputs; ++o)
      output_pointers_[o] = values.data() + (slot * config.n_outputs + o) * n_values + first;
    return output_pointers_.data();
  }

  void backward_slot(std::size_t slot) {
    for (std::size_t phase = network->n_phases(); phase-- > 0;) {
      for_blocks([&](std::size_t b, std::size_t first) {
        network->backward(*tapes_[b], slot, phase, blocks[b], outputs_at(grad_outputs, slot, first),
                          input_pointers(grad_inputs, slot, first));
      });
      if (phase > 0) network->join_backward(tape_pointers_, given_(tape_pointers_), slot, phase);
    }
  }

  std::vector<std::unique_ptr<Tape>> tapes_;
  std::vector<Tape*> tape_pointers_;
  GivenBy<T> given_;
  std::vector<T*> pointers_, output_pointers_;
  bool wants_first_input_ = true;
};

}  // namespace greybox::test
