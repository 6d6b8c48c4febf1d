// Between fields, one array each, and rows of pixels that hold all fields together.
#pragma once

#include <cstddef>

namespace greybox {

// pixels[i·n_fields + c] = fields[c][offset + i] for i < n.
template <class T>
void interleave(std::size_t n, std::size_t n_fields, const T* const* fields, std::size_t offset, T* pixels) {
  if (n_fields == 2) {  // common, and known at compile time it is vector code
    const T *first = fields[0] + offset, *second = fields[1] + offset;
    for (std::size_t i = 0; i < n; ++i) {
      pixels[2 * i] = first[i];
      pixels[2 * i + 1] = second[i];
    }
    return;
  }
  for (std::size_t c = 0; c < n_fields; ++c) {
    const T* field = fields[c] + offset;
    for (std::size_t i = 0; i < n; ++i) pixels[i * n_fields + c] = field[i];
  }
}

// fields[c][offset + i] = pixels[i·stride + c] for i < n.
template <class T>
void separate(std::size_t n, std::size_t n_fields, const T* pixels, std::size_t stride, T* const* fields,
              std::size_t offset) {
  if (n_fields == 2 && stride == 2) {
    T *first = fields[0] + offset, *second = fields[1] + offset;
    for (std::size_t i = 0; i < n; ++i) {
      first[i] = pixels[2 * i];
      second[i] = pixels[2 * i + 1];
    }
    return;
  }
  for (std::size_t c = 0; c < n_fields; ++c) {
    T* field = fields[c] + offset;
    for (std::size_t i = 0; i < n; ++i) field[i] = pixels[i * stride + c];
  }
}

}  // namespace greybox
