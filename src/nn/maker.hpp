// A network that makes weights for the samples of another one: one hidden layer, and a linear one.
#pragma once

#include <vector>

#include "nn/dense_layer.hpp"
#include "nn/network.hpp"

namespace greybox {

template <class T>
struct MakerTape {
  // Rows of conditions, of hidden units (before and after their activation), and of what is made.
  AlignedBuffer<T> input, sums, hidden, made;
  AlignedBuffer<T> grad_made, grad_hidden, grad_input;
  AlignedBuffer<T> hidden_weights, hidden_biases, made_weights, made_biases;
};

// Rows of a tape are samples, or samples of slots.
template <class T>
class Maker {
 public:
  // `places`: where in a row of `n_places` each number that is made stands; zeros stand elsewhere. What
  // hidden units add to it counts times `share`.
  Maker(std::size_t n_conditions, std::size_t n_hidden, std::vector<std::size_t> places, std::size_t n_places,
        double share, Activation activation);

  // From one row of what is made to the next.
  std::size_t stride() const { return made_.output().stride; }
  // Matrix and bias of the hidden layer; of the other a row for each number that is made, and an offset.
  void set_weights(const T* hidden, const T* rows, const T* offsets);

  MakerTape<T> make_tape(std::size_t n_rows) const;
  void make(MakerTape<T>& tape, std::size_t first_row, std::size_t n, const std::vector<std::size_t>& which,
            const T* const* inputs) const;
  // From `grad_made` to gradients of the inputs, which are added, and of the weights, which gather in the
  // tape.
  void pull_back(MakerTape<T>& tape, std::size_t first_row, std::size_t n,
                 const std::vector<std::size_t>& which, T* const* grad_inputs, bool needs_weights) const;
  void clear_weight_gradient(MakerTape<T>& tape) const;
  // `scratch` has `scratch_size` numbers.
  void add_weight_gradient(const MakerTape<T>& tape, T* hidden, T* rows, T* offsets,
                           AlignedBuffer<T>& scratch) const;
  std::size_t scratch_size() const { return made_.output().count * made_.input().count; }

 private:
  std::vector<std::size_t> places_, gaps_;
  T share_;
  Activation activation_;
  DenseLayer<T> hidden_, made_;
  AlignedBuffer<T> hidden_bias_, made_bias_;
  std::vector<T> rows_;
};

extern template class Maker<float>;
extern template class Maker<double>;

}  // namespace greybox
