// Sizes of convolution filters, of what they are applied to, and of channels in memory.
#pragma once

#include <cstddef>

#include "nn/gemm.hpp"

namespace greybox {

struct FilterShape {
  std::size_t n_inputs = 0;
  std::size_t n_outputs = 0;
  std::size_t kernel = 0;  // odd
  bool is_line = false;    // one row of it, instead of a square

  std::size_t n_rows() const { return is_line ? 1 : kernel; }
  std::size_t size() const { return n_rows() * run(); }  // values under the kernel
  std::size_t run() const { return kernel * n_inputs; }  // contiguous values under one kernel row
  FilterShape adjoint() const {
    return {.n_inputs = n_outputs, .n_outputs = n_inputs, .kernel = kernel, .is_line = is_line};
  }
};

// What a filter is applied to: height × width results from an image that is larger by the kernel less one;
// the pitches count pixels from one row to the next.
struct FilterArea {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t image_pitch = 0;
  std::size_t result_pitch = 0;
};

// Too few channels to fill the lanes of a vector.
template <class T>
bool is_narrow(std::size_t n_channels) {
  return 4 * n_channels <= panel_width<T>(n_channels);
}

// Values per pixel when `n_channels` are stored in whole panels of the matrix kernel.
template <class T>
std::size_t panel_stride(std::size_t n_channels) {
  const std::size_t width = panel_width<T>(n_channels);
  return (n_channels + width - 1) / width * width;
}

}  // namespace greybox
