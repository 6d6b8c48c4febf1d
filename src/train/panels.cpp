#include "train/panels.hpp"

#include <algorithm>

namespace greybox {

template <class T>
void Panels<T>::resize(std::size_t rows, std::size_t columns) {
  rows_ = rows;
  columns_ = columns;
  width_ = panel_width<T>(columns);
  data_.ensure((columns + width_ - 1) / width_ * width_ * rows);
}

template <class T>
void Panels<T>::pack(const Strided<T>& from) {
  resize(from.rows, from.columns);
  for (std::size_t first = 0; first < columns_; first += width_) {
    const std::size_t n = std::min(width_, columns_ - first);
    T* to = data_.data() + first * rows_;
    for (std::size_t i = 0; i < rows_; ++i, to += width_) {
      const T* source = from.data + i * from.row + first * from.column;
      for (std::size_t j = 0; j < n; ++j) to[j] = source[j * from.column];
      std::fill(to + n, to + width_, T{0});
    }
  }
}

template <class T>
void Panels<T>::multiply(const Strided<T>& a, const Panels& b) {
  resize(a.rows, b.columns_);
  const auto width = static_cast<std::ptrdiff_t>(width_);
  greybox::multiply<T>({.rows = a.rows,
                        .columns = columns_,
                        .n_inner = a.columns,
                        .a = a.data,
                        .a_row = static_cast<std::ptrdiff_t>(a.row),
                        .a_inner = static_cast<std::ptrdiff_t>(a.column),
                        .b = b.data_.data(),
                        .b_panel = width * static_cast<std::ptrdiff_t>(b.rows_),
                        .b_inner = width,
                        .c = data_.data(),
                        .c_row = width,
                        .c_panel = width * static_cast<std::ptrdiff_t>(rows_)});
}

template <class T>
void Panels<T>::unpack(T keep, T factor, T* to) const {
  for (std::size_t first = 0; first < columns_; first += width_) {
    const std::size_t n = std::min(width_, columns_ - first);
    const T* from = data_.data() + first * rows_;
    for (std::size_t i = 0; i < rows_; ++i, from += width_) {
      T* row = to + i * columns_ + first;
      for (std::size_t j = 0; j < n; ++j) row[j] = keep * row[j] + factor * from[j];
    }
  }
}

template class Panels<float>;
template class Panels<double>;

}  // namespace greybox
