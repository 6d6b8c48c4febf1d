// Gradient of a filter's weights as a matrix product that sums over image rows and pixels.
#include <algorithm>

#include "nn/conv_filter.hpp"
#include "nn/gemm.hpp"

namespace greybox {
namespace {

// The rows of image and delta that one product sweeps over again and again should stay in the first-level
// cache.
constexpr std::size_t kBlockBytes = 24 * 1024;

std::size_t rows_per_block(std::size_t row_bytes, std::size_t n_rows) {
  const std::size_t n_blocks = std::max<std::size_t>(1, (n_rows * row_bytes + kBlockBytes / 2) / kBlockBytes);
  return (n_rows + n_blocks - 1) / n_blocks;
}

}  // namespace

template <class T>
ConvFilterGradient<T>::ConvFilterGradient(const FilterShape& shape, const ImageShape& image,
                                          const ImageShape& delta)
    : shape_(shape),
      image_(image),
      delta_(delta),
      narrow_(is_narrow<T>(shape.n_outputs)),
      n_rows_(shape.kernel * (narrow_ ? shape.n_outputs : shape.n_inputs)),
      panel_width_(panel_width<T>(narrow_ ? shape.n_inputs : shape.n_outputs)),
      stride_(panel_stride<T>(narrow_ ? shape.n_inputs : shape.n_outputs)),
      block_(rows_per_block((image.row() + delta.row()) * sizeof(T), image.height)) {
  if (WinogradGradient<T>::suits(shape, image)) winograd_.emplace(shape, image, delta);
}

template <class T>
void ConvFilterGradient<T>::add(const Strip& strip, const T* image, const T* delta, T* sums,
                                T* scratch) const {
  if (winograd_) return winograd_->add(strip.n_rows, image, delta, sums, scratch);
  const bool is_last = strip.end() == image_.height;
  const std::size_t n_rows = strip.n_rows + (is_last && !narrow_ ? shape_.n_rows() - 1 : 0);
  for (std::size_t y = 0; y < n_rows; y += block_)
    add_rows(std::min(block_, n_rows - y), image + y * image_.row(),
             delta + (y + delta_.rim()) * delta_.row(), sums);
}

// Usually, over the rows of the image and the pixels of the results, with kernel row y and column x:
//   sums[y][x·n_inputs + in][out] = Σ image[row][pixel + x][in] · delta[row - y][pixel][out]
// With few outputs the roles are swapped; rows are those of the results and pixels those of the image:
//   sums[y][(last - x)·n_outputs + out][in] = Σ delta[row][pixel - x][out] · image[row + y][pixel][in]
// where the zeros around delta stand for results that do not exist.
template <class T>
void ConvFilterGradient<T>::add_rows(std::size_t n_rows, const T* image, const T* delta, T* sums) const {
  const auto width = static_cast<std::ptrdiff_t>(panel_width_);
  const auto image_row = static_cast<std::ptrdiff_t>(image_.row()),
             delta_row = static_cast<std::ptrdiff_t>(delta_.row());
  const auto image_pixel = static_cast<std::ptrdiff_t>(image_.stride);
  const auto delta_pixel = static_cast<std::ptrdiff_t>(delta_.stride);
  const auto kernel_row = static_cast<std::ptrdiff_t>(n_rows_ * stride_);
  Product<T> product{.rows = n_rows_,
                     .n_outer = n_rows,
                     .a_row = 1,
                     .b_panel = width,
                     .init = sums,
                     .init_row = static_cast<std::ptrdiff_t>(stride_),
                     .init_panel = width,
                     .c = sums,
                     .c_row = static_cast<std::ptrdiff_t>(stride_),
                     .c_panel = width};
  ProductSteps steps{.count = shape_.n_rows(), .init = kernel_row, .c = kernel_row};
  if (narrow_) {
    product.columns = shape_.n_inputs;
    product.n_inner = image_.width + 2 * image_.border;
    product.a = delta, product.a_outer = delta_row, product.a_inner = delta_pixel;
    product.b = image, product.b_outer = image_row, product.b_inner = image_pixel;
    steps.b = image_row;
  } else {
    product.columns = shape_.n_outputs;
    product.n_inner = image_.width;
    product.a = image, product.a_outer = image_row, product.a_inner = image_pixel;
    product.b = delta + delta_.border * delta_.stride, product.b_outer = delta_row,
    product.b_inner = delta_pixel;
    steps.b = -delta_row;
  }
  multiply_shared(product, steps);
}

template <class T>
void ConvFilterGradient<T>::unpack(const T* sums, T* gradient) const {
  if (winograd_) return winograd_->unpack(sums, gradient);
  const std::size_t last = shape_.kernel - 1;
  for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
    for (std::size_t in = 0; in < shape_.n_inputs; ++in) {
      for (std::size_t y = 0; y < shape_.n_rows(); ++y) {
        for (std::size_t x = 0; x < shape_.kernel; ++x) {
          const std::size_t row = narrow_ ? (last - x) * shape_.n_outputs + out : x * shape_.n_inputs + in;
          const std::size_t column = narrow_ ? in : out;
          *gradient++ += sums[(y * n_rows_ + row) * stride_ + column];
        }
      }
    }
  }
}

template class ConvFilterGradient<float>;
template class ConvFilterGradient<double>;

}  // namespace greybox
