// Packing of weights, and the products of a fully connected layer.
#include "nn/dense_layer.hpp"

#include <algorithm>

#include "nn/transpose.hpp"

namespace greybox {

template <class T>
FeatureLayout<T>::FeatureLayout(std::size_t n_features)
    : count(n_features), width(panel_width<T>(n_features)), padded((count + width - 1) / width * width) {
  constexpr std::size_t kCollision = 512 / sizeof(T);
  stride = greybox::padded<T>(padded);
  if (stride % kCollision == 0) stride += greybox::padded<T>(1);
}

template <class T>
DenseLayer<T>::DenseLayer(std::size_t n_outputs, std::size_t n_columns,
                          const std::vector<std::size_t>& columns, bool is_linear)
    : input_(columns.size()),
      output_(n_outputs),
      n_columns_(n_columns),
      is_narrow_(is_linear && n_outputs <= panel_width<T>(1) / 4),
      // Unless panels waste fewer lanes on padding.
      sums_by_output_(output_.count * input_.padded <= input_.count * output_.padded),
      rows_(output_.padded * input_.stride),
      panels_(is_narrow_ ? 0 : output_.padded * input_.count) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i == 0 || columns[i] != columns[i - 1] + 1)
      runs_.push_back({.column = columns[i], .input = i, .count = 0});
    ++runs_.back().count;
  }
}

// f(place in the matrix, place among rows `stride` apart, count) for each run of each row; all rows are one
// run where they have no gaps.
template <class T>
template <class F>
void DenseLayer<T>::for_runs(std::size_t stride, F&& f) const {
  if (runs_.size() == 1 && runs_[0].count == n_columns_ && stride == n_columns_)
    return f(0, 0, output_.count * n_columns_);
  for (std::size_t o = 0; o < output_.count; ++o)
    for (const Run& run : runs_) f(o * n_columns_ + run.column, o * stride + run.input, run.count);
}

template <class T>
void DenseLayer<T>::set_weights(const T* weights) {
  for_runs(input_.stride, [&](std::size_t of_matrix, std::size_t of_layer, std::size_t n) {
    const T* from = weights + of_matrix;
    T* to = rows_.data() + of_layer;
    for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
  });
  if (is_narrow_) return;
  const std::size_t width = output_.width;
  for (std::size_t first = 0; first < output_.count; first += width)
    transpose<T>(std::min(width, output_.count - first), input_.count,
                 {rows_.data() + first * input_.stride, input_.stride},
                 {panels_.data() + first * input_.count, width});
}

template <class T>
void DenseLayer<T>::forward(std::size_t n_rows, const T* x, T* y, const Forward& around) const {
  if (is_narrow_) {
    NarrowProduct<T> p{.rows = n_rows, .columns = output_.count, .n_inner = input_.count};
    p.a = x, p.a_row = input_.stride;
    p.b = rows_.data(), p.b_column = input_.stride;
    p.init = around.start, p.init_row = around.start_row;
    p.c = y, p.c_row = output_.stride;
    return multiply_narrow(p, {.count = 1});
  }
  Product<T> p{.rows = n_rows, .columns = output_.count, .n_inner = input_.count};
  p.a = x, p.a_row = input_.stride;
  p.b = panels_.data(), p.b_inner = output_.width, p.b_panel = input_.count * output_.width;
  p.init = around.start, p.init_row = around.start_row, p.init_panel = output_.width;
  p.c = y, p.c_row = output_.stride, p.c_panel = output_.width;
  p.epilogue = around.epilogue, p.slope = around.slope;
  multiply(p);
}

template <class T>
void DenseLayer<T>::backward(std::size_t n_rows, const T* grad_y, T* grad_x, const Backward& after) const {
  Product<T> p{.rows = n_rows, .columns = input_.count, .n_inner = output_.count};
  p.a = grad_y, p.a_row = output_.stride;
  p.b = rows_.data(), p.b_inner = input_.stride, p.b_panel = input_.width;
  p.c = grad_x, p.c_row = input_.stride, p.c_panel = input_.width;
  p.epilogue = after.epilogue, p.slope = after.slope;
  p.mask = after.mask, p.mask_row = input_.stride, p.mask_panel = input_.width;
  multiply(p);
}

template <class T>
std::size_t DenseLayer<T>::n_sums() const {
  return sums_by_output_ ? output_.count * input_.padded : input_.count * output_.padded;
}

template <class T>
void DenseLayer<T>::add_gradient(std::size_t n_rows, const T* x, const T* grad_y, T* sums) const {
  Product<T> p{.n_inner = n_rows, .a_row = 1};
  p.c = sums;
  if (sums_by_output_) {
    p.rows = output_.count, p.columns = input_.count;
    p.a = grad_y, p.a_inner = output_.stride;
    p.b = x, p.b_inner = input_.stride, p.b_panel = input_.width;
    p.c_row = input_.padded, p.c_panel = input_.width;
  } else {
    p.rows = input_.count, p.columns = output_.count;
    p.a = x, p.a_inner = input_.stride;
    p.b = grad_y, p.b_inner = output_.stride, p.b_panel = output_.width;
    p.c_row = output_.width, p.c_panel = input_.count * output_.width;
  }
  p.init = p.c, p.init_row = p.c_row, p.init_panel = p.c_panel;
  multiply(p);
}

template <class T>
void DenseLayer<T>::add_to(T* gradient, const T* sums) const {
  if (!sums_by_output_) return add_panels_to(gradient, sums);
  for_runs(input_.padded, [&](std::size_t of_matrix, std::size_t of_layer, std::size_t n) {
    T* to = gradient + of_matrix;
    const T* from = sums + of_layer;
    for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
  });
}

template <class T>
void DenseLayer<T>::add_panels_to(T* gradient, const T* sums) const {
  const std::size_t width = output_.width;
  for (std::size_t first = 0; first < output_.count; first += width)
    for (const Run& run : runs_)
      add_transposed<T>(run.count, std::min(width, output_.count - first),
                        {sums + first * input_.count + run.input * width, width},
                        {gradient + first * n_columns_ + run.column, n_columns_});
}

template struct FeatureLayout<float>;
template struct FeatureLayout<double>;
template class DenseLayer<float>;
template class DenseLayer<double>;

}  // namespace greybox
