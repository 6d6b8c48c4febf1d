// Between arrays over samples, one per component, and rows [sample][feature].
#pragma once

#include <cstddef>
#include <vector>

namespace greybox {

// Feature k of the rows is component which[k].
template <class T>
void gather(std::size_t n_samples, const std::vector<std::size_t>& which, const T* const* components, T* rows,
            std::size_t stride) {
  for (std::size_t k = 0; k < which.size(); ++k) {
    const T* from = components[which[k]];
    for (std::size_t s = 0; s < n_samples; ++s) rows[s * stride + k] = from[s];
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
