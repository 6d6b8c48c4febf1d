// Convolution as a matrix product: a row per pixel, the values under the kernel along the inner indices.
#include "nn/conv_filter.hpp"

#include "nn/gemm.hpp"

namespace greybox {

template <class T>
bool is_narrow(std::size_t n_channels) {
  return 4 * n_channels <= panel_width<T>(n_channels);
}

template <class T>
std::size_t panel_stride(std::size_t n_channels) {
  const std::size_t width = panel_width<T>(n_channels);
  return (n_channels + width - 1) / width * width;
}

template <class T>
ConvFilter<T>::ConvFilter(const FilterShape& shape, ResultLayout layout)
    : shape_(shape),
      narrow_(layout == ResultLayout::compact && is_narrow<T>(shape.n_outputs)),
      panel_width_(panel_width<T>(shape.n_outputs)),
      stride_(narrow_ ? shape.n_outputs : panel_stride<T>(shape.n_outputs)),
      packed_(shape.kernel * shape.run() * stride_) {}

template <class T>
std::size_t ConvFilter<T>::place(std::size_t output, std::size_t kernel_row, std::size_t k) const {
  const std::size_t depth = shape_.kernel * shape_.run();
  const std::size_t inner = kernel_row * shape_.run() + k;
  if (narrow_) return output * depth + inner;
  const std::size_t panel = output / panel_width_;
  return (panel * depth + inner) * panel_width_ + output % panel_width_;
}

template <class T>
void ConvFilter<T>::pack(const T* weights) {
  for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
    for (std::size_t in = 0; in < shape_.n_inputs; ++in) {
      for (std::size_t y = 0; y < shape_.kernel; ++y) {
        for (std::size_t x = 0; x < shape_.kernel; ++x)
          packed_[place(out, y, x * shape_.n_inputs + in)] = *weights++;
      }
    }
  }
}

template <class T>
void ConvFilter<T>::pack_adjoint(const T* weights) {
  // Outputs and inputs trade places, and the kernel is turned by half a turn.
  const std::size_t last = shape_.kernel - 1;
  for (std::size_t in = 0; in < shape_.n_inputs; ++in) {
    for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
      for (std::size_t y = 0; y < shape_.kernel; ++y) {
        for (std::size_t x = 0; x < shape_.kernel; ++x) {
          packed_[place(out, last - y, (last - x) * shape_.n_inputs + in)] = *weights++;
        }
      }
    }
  }
}

template <class T>
void ConvFilter<T>::apply(const T* image, std::size_t image_row, std::size_t n_pixels, const T* bias,
                          T* result) const {
  if (narrow_) {
    apply_narrow(image, static_cast<std::ptrdiff_t>(image_row), n_pixels, bias, result);
  } else {
    apply_panels(image, static_cast<std::ptrdiff_t>(image_row), n_pixels, bias, result);
  }
}

template <class T>
void ConvFilter<T>::apply_narrow(const T* image, std::ptrdiff_t image_row, std::size_t n_pixels,
                                 const T* bias, T* result) const {
  const auto run = static_cast<std::ptrdiff_t>(shape_.run());
  multiply_narrow<T>({.rows = n_pixels,
                      .columns = shape_.n_outputs,
                      .n_outer = shape_.kernel,
                      .n_inner = shape_.run(),
                      .a = image,
                      .a_row = static_cast<std::ptrdiff_t>(shape_.n_inputs),
                      .a_outer = image_row,
                      .b = packed_.data(),
                      .b_column = static_cast<std::ptrdiff_t>(shape_.kernel) * run,
                      .b_outer = run,
                      .init = bias,
                      .c = result,
                      .c_row = static_cast<std::ptrdiff_t>(stride_)});
}

template <class T>
void ConvFilter<T>::apply_panels(const T* image, std::ptrdiff_t image_row, std::size_t n_pixels,
                                 const T* bias, T* result) const {
  const auto width = static_cast<std::ptrdiff_t>(panel_width_);
  const auto run = static_cast<std::ptrdiff_t>(shape_.run());
  multiply<T>({.rows = n_pixels,
               .columns = shape_.n_outputs,
               .n_outer = shape_.kernel,
               .n_inner = shape_.run(),
               .a = image,
               .a_row = static_cast<std::ptrdiff_t>(shape_.n_inputs),
               .a_outer = image_row,
               .b = packed_.data(),
               .b_panel = static_cast<std::ptrdiff_t>(shape_.kernel) * run * width,
               .b_outer = run * width,
               .b_inner = width,
               .init = bias,
               .init_panel = width,
               .c = result,
               .c_row = static_cast<std::ptrdiff_t>(stride_),
               .c_panel = width});
}

template bool is_narrow<float>(std::size_t);
template bool is_narrow<double>(std::size_t);
template std::size_t panel_stride<float>(std::size_t);
template std::size_t panel_stride<double>(std::size_t);
template class ConvFilter<float>;
template class ConvFilter<double>;

}  // namespace greybox
