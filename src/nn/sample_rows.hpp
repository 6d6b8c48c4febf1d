// Between arrays over samples, one per component, and rows [sample][feature].
#pragma once

#include <cstddef>
#include <vector>

#include "nn/square.hpp"

namespace greybox {

// The first features of the rows are the components which[0], which[1] … as many as a square has lines.
// Returns how many samples that was: whole squares.
template <class T>
std::size_t gather_squares(std::size_t n_samples, const std::size_t* which, const T* const* components,
                           T* rows, std::size_t stride) {
  std::array<const T*, kSide<T>> from;
  for (std::size_t r = 0; r < kSide<T>; ++r) from[r] = components[which[r]];
  std::size_t s = 0;
  for (; s + kSide<T> <= n_samples; s += kSide<T>)
    store_square<T>(turned(load_square<T>([&](std::size_t r) { return from[r] + s; })), rows + s * stride,
                    stride);
  return s;
}

// Feature k of the rows is component which[k].
template <class T>
void gather(std::size_t n_samples, const std::vector<std::size_t>& which, const T* const* components, T* rows,
            std::size_t stride) {
  std::size_t n_done = 0;  // samples, in the square that feature k belongs to
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (k % kSide<T> == 0)
      n_done = k + kSide<T> <= which.size()
                   ? gather_squares(n_samples, which.data() + k, components, rows + k, stride)
                   : 0;
    const T* from = components[which[k]];
    for (std::size_t s = n_done; s < n_samples; ++s) rows[s * stride + k] = from[s];
  }
}

// Component k is feature k of the rows.
template <class T>
void scatter(std::size_t n_samples, const T* rows, std::size_t stride, std::size_t n_components,
             T* const* components) {
  for (std::size_t k = 0; k < n_components; ++k) {
    for (std::size_t s = 0; s < n_samples; ++s) components[k][s] = rows[s * stride + k];
  }
}

// Feature k is added to component which[k], unless that is null.
template <class T>
void scatter_add(std::size_t n_samples, const std::vector<std::size_t>& which, const T* rows,
                 std::size_t stride, T* const* components) {
  for (std::size_t k = 0; k < which.size(); ++k) {
    T* to = components[which[k]];
    if (!to) continue;
    for (std::size_t s = 0; s < n_samples; ++s) to[s] += rows[s * stride + k];
  }
}

}  // namespace greybox
