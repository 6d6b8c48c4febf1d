// One fully connected layer's matrix, in the forms that the product kernels read.
#pragma once

#include <cstddef>
#include <vector>

#include "core/aligned_buffer.hpp"
#include "nn/gemm.hpp"

namespace greybox {

// How `count` features lie in rows [sample][feature] and in panels.
template <class T>
struct FeatureLayout {
  explicit FeatureLayout(std::size_t n_features);

  std::size_t count;
  // Of a panel.
  std::size_t width;
  // Count, rounded up to whole panels.
  std::size_t padded;
  // Between rows: whole cache lines, but no multiple of 512 bytes, where rows would collide in cache.
  std::size_t stride;
};

// Y = X Wᵀ and its adjoints, for some columns of an out × in matrix W (all, or those of a group of inputs).
// X, Y and their gradients are rows in the layouts `input` and `output`.
template <class T>
class DenseLayer {
 public:
  // The matrix has `n_columns` columns, of which the layer takes `columns`, in that order; `is_linear`: no
  // epilogue ever follows.
  DenseLayer(std::size_t n_outputs, std::size_t n_columns, const std::vector<std::size_t>& columns,
             bool is_linear);

  const FeatureLayout<T>& input() const { return input_; }
  const FeatureLayout<T>& output() const { return output_; }

  // Packs an out × n_columns matrix, row-major.
  void set_weights(const T* weights);

  // What goes into Y besides X Wᵀ; start_row 0 repeats one row.
  struct Forward {
    const T* start = nullptr;
    std::size_t start_row = 0;
    Epilogue epilogue = Epilogue::none;
    T slope = 0;
  };
  void forward(std::size_t n_rows, const T* x, T* y, const Forward& around) const;

  // What follows dX = dY W; the mask has the rows of X.
  struct Backward {
    Epilogue epilogue = Epilogue::none;
    T slope = 0;
    const T* mask = nullptr;
  };
  void backward(std::size_t n_rows, const T* grad_y, T* grad_x, const Backward& after) const;

  // dW = dYᵀ X gathers in `n_sums` values, in an order of their own, which add_to brings back to that of W.
  std::size_t n_sums() const;
  void add_gradient(std::size_t n_rows, const T* x, const T* grad_y, T* sums) const;
  void add_to(T* gradient, const T* sums) const;

 private:
  // Neighbouring columns of the matrix that are neighbouring inputs of the layer.
  struct Run {
    std::size_t column, input, count;
  };
  template <class F>
  void for_runs(std::size_t stride, F&& f) const;
  void add_panels_to(T* gradient, const T* sums) const;

  FeatureLayout<T> input_, output_;
  std::size_t n_columns_;
  std::vector<Run> runs_;
  bool is_narrow_;           // few outputs, no epilogue: forward is made of dot products
  bool sums_by_output_;      // sums are [output][input], like W; else panels [outputs][input][width]
  AlignedBuffer<T> rows_;    // W as [output][input], for backward and for narrow forward
  AlignedBuffer<T> panels_;  // W as panels [outputs][input][width], for forward
};

extern template struct FeatureLayout<float>;
extern template struct FeatureLayout<double>;
extern template class DenseLayer<float>;
extern template class DenseLayer<double>;

}  // namespace greybox
