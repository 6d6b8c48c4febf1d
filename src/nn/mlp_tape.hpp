// What one block of samples keeps of a fully connected network's evaluations.
#pragma once

#include <algorithm>
#include <vector>

#include "nn/dense_layer.hpp"
#include "nn/network.hpp"

namespace greybox {

// Slots whose gradients may wait for one flush.
inline constexpr std::size_t kMaxFlush = 16;

// Rows of one layer; slot s starts at row s · n_samples, so that the slots of a flush are consecutive rows.
template <class T>
struct LayerTape {
  LayerTape(const DenseLayer<T>& layer, std::size_t n_rows, std::size_t n_waiting_rows,
            bool keeps_preactivation)
      : input(n_rows * layer.input().stride),
        preactivation(keeps_preactivation ? n_rows * layer.output().stride : 0),
        delta(n_waiting_rows * layer.output().stride),
        weight_sums(layer.n_sums()),
        bias_sums(layer.output().padded) {}

  AlignedBuffer<T> input;          // of all slots
  AlignedBuffer<T> preactivation;  // of all slots, where the activation's derivative is computed from it
  AlignedBuffer<T> delta;          // gradients of the preactivations, of the slots that wait for a flush
  AlignedBuffer<T> weight_sums, bias_sums;
};

// The share of inputs that do not change along a trajectory in the first layer: once per sample, not per
// evaluation.
template <class T>
struct StaticTape {
  StaticTape(const DenseLayer<T>& layer, std::size_t capacity)
      : input(capacity * layer.input().stride),
        share(capacity * layer.output().stride),
        delta(capacity * layer.output().stride),
        grad_input(capacity * layer.input().stride),
        weight_sums(layer.n_sums()) {}

  AlignedBuffer<T> input;
  AlignedBuffer<T> share;  // of the preactivation, bias included
  AlignedBuffer<T> delta;  // summed over evaluations
  AlignedBuffer<T> grad_input;
  AlignedBuffer<T> weight_sums;
};

template <class T>
struct MlpTape : Network<T>::Tape {
  MlpTape(const std::vector<DenseLayer<T>>& dense, const DenseLayer<T>& fixed_layer, std::size_t capacity,
          std::size_t n_slots, bool keeps_preactivation)
      : n_waiting(std::min(n_slots, kMaxFlush)),
        output(capacity * dense.back().output().stride),
        grad_input(capacity * dense.front().input().stride),
        fixed(fixed_layer, capacity) {
    for (const DenseLayer<T>& layer : dense) {
      const bool is_last = &layer == &dense.back();
      layers.emplace_back(layer, n_slots * capacity, n_waiting * capacity, keeps_preactivation && !is_last);
    }
  }

  std::size_t n_waiting;  // the delta of slot s is in place s modulo this
  std::vector<LayerTape<T>> layers;
  AlignedBuffer<T> output, grad_input;  // rows of the evaluation in hand
  StaticTape<T> fixed;
  mutable AlignedBuffer<T> unsigned_gradient;  // of monotone networks
};

}  // namespace greybox
