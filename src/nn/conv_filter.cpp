// Convolution as a matrix product: a row per pixel, the values under the kernel along the inner indices.
#include "nn/conv_filter.hpp"

#include <algorithm>

#include "nn/gemm.hpp"

namespace greybox {

template <class T>
ConvFilter<T>::ConvFilter(const FilterShape& shape, const FilterArea& area, ResultLayout layout)
    : shape_(shape),
      area_(area),
      narrow_(layout == ResultLayout::compact && is_narrow<T>(shape.n_outputs)),
      panel_width_(panel_width<T>(shape.n_outputs)),
      stride_(narrow_ ? shape.n_outputs : panel_stride<T>(shape.n_outputs)),
      bias_(stride_) {
  if (WinogradFilter<T>::suits(shape, area)) {
    winograd_.emplace(shape, area);
  } else {
    packed_ = AlignedBuffer<T>(shape.size() * stride_);
  }
}

template <class T>
std::size_t ConvFilter<T>::place(std::size_t output, std::size_t kernel_row, std::size_t k) const {
  const std::size_t depth = shape_.size();
  const std::size_t inner = kernel_row * shape_.run() + k;
  if (narrow_) return output * depth + inner;
  const std::size_t panel = output / panel_width_;
  return (panel * depth + inner) * panel_width_ + output % panel_width_;
}

template <class T>
void ConvFilter<T>::pack(const T* weights, const T* bias) {
  if (winograd_) {
    winograd_->set_bias(bias);
    return winograd_->pack(weights);
  }
  std::copy_n(bias, shape_.n_outputs, bias_.data());
  for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
    for (std::size_t in = 0; in < shape_.n_inputs; ++in) {
      for (std::size_t y = 0; y < shape_.n_rows(); ++y) {
        for (std::size_t x = 0; x < shape_.kernel; ++x)
          packed_[place(out, y, x * shape_.n_inputs + in)] = *weights++;
      }
    }
  }
}

template <class T>
void ConvFilter<T>::pack_adjoint(const T* weights) {
  if (winograd_) return winograd_->pack_adjoint(weights);
  // Outputs and inputs trade places, and the kernel is turned by half a turn.
  const std::size_t last = shape_.kernel - 1, last_row = shape_.n_rows() - 1;
  for (std::size_t in = 0; in < shape_.n_inputs; ++in) {
    for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
      for (std::size_t y = 0; y < shape_.n_rows(); ++y) {
        for (std::size_t x = 0; x < shape_.kernel; ++x) {
          packed_[place(out, last_row - y, (last - x) * shape_.n_inputs + in)] = *weights++;
        }
      }
    }
  }
}

template <class T>
void ConvFilter<T>::apply(std::size_t n_rows, const T* image, T* result, T* scratch) const {
  if (winograd_) return winograd_->apply(n_rows, image, result, scratch);
  if (!narrow_) return apply_panels(n_rows, image, result);
  apply_narrow(n_rows, image, result);
}

template <class T>
void ConvFilter<T>::apply_narrow(std::size_t n_rows, const T* image, T* result) const {
  const auto run = static_cast<std::ptrdiff_t>(shape_.run());
  const auto image_row = static_cast<std::ptrdiff_t>(area_.image_pitch * shape_.n_inputs);
  const NarrowProduct<T> row{.rows = area_.width,
                             .columns = shape_.n_outputs,
                             .n_outer = shape_.n_rows(),
                             .n_inner = shape_.run(),
                             .a = image,
                             .a_row = static_cast<std::ptrdiff_t>(shape_.n_inputs),
                             .a_outer = image_row,
                             .b = packed_.data(),
                             .b_column = static_cast<std::ptrdiff_t>(shape_.n_rows()) * run,
                             .b_outer = run,
                             .init = bias_.data(),
                             .c = result,
                             .c_row = static_cast<std::ptrdiff_t>(stride_)};
  multiply_narrow(
      row, {.count = n_rows, .a = image_row, .c = static_cast<std::ptrdiff_t>(area_.result_pitch * stride_)});
}

template <class T>
void ConvFilter<T>::apply_panels(std::size_t n_rows, const T* image, T* result) const {
  const auto width = static_cast<std::ptrdiff_t>(panel_width_);
  const auto run = static_cast<std::ptrdiff_t>(shape_.run());
  const auto image_row = static_cast<std::ptrdiff_t>(area_.image_pitch * shape_.n_inputs);
  const Product<T> row{.rows = area_.width,
                       .columns = shape_.n_outputs,
                       .n_outer = shape_.n_rows(),
                       .n_inner = shape_.run(),
                       .a = image,
                       .a_row = static_cast<std::ptrdiff_t>(shape_.n_inputs),
                       .a_outer = image_row,
                       .b = packed_.data(),
                       .b_panel = static_cast<std::ptrdiff_t>(shape_.n_rows()) * run * width,
                       .b_outer = run * width,
                       .b_inner = width,
                       .init = bias_.data(),
                       .init_panel = width,
                       .c = result,
                       .c_row = static_cast<std::ptrdiff_t>(stride_),
                       .c_panel = width};
  multiply_overlapping(
      row, {.count = n_rows, .a = image_row, .c = static_cast<std::ptrdiff_t>(area_.result_pitch * stride_)});
}

template class ConvFilter<float>;
template class ConvFilter<double>;

}  // namespace greybox
