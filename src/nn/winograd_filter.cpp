// Convolution by Winograd's method: transforms around one matrix product per place.
#include "nn/winograd_filter.hpp"

#include <algorithm>

namespace greybox {
namespace {

// With fewer channels the transforms cost more than the products they save.
constexpr std::size_t kFewestChannels = 8;

bool has_enough_channels(const FilterShape& shape) {
  return shape.kernel == 3 && std::min(shape.n_inputs, shape.n_outputs) >= kFewestChannels;
}

// The second row of A is all ones: what is added at the second place of both directions reaches every result
// once.
constexpr std::size_t kBiasPlace = kWinogradPatch + 1;

// Rows of tiles that one product for the gradient runs over: enough to pay for loading and storing the sums.
constexpr std::size_t kGradientRows = 2;

// The tiles of an image of `width` results per row, made of `line_size` values of each of its rows.
template <class T>
WinogradTiles tiles(std::size_t width, std::size_t n_channels, std::size_t pixel, std::size_t row,
                    std::size_t line_size, std::size_t n_rows) {
  WinogradTiles made;
  made.n_rows = n_rows;
  // A vector may be read past a line's end.
  made.lines = {.size = line_size,
                .row = static_cast<std::ptrdiff_t>(row),
                .line = static_cast<std::ptrdiff_t>(padded<T>(line_size) + padded<T>(1))};
  made.tiles = {.width = width,
                .n_channels = n_channels,
                .pixel = static_cast<std::ptrdiff_t>(pixel),
                .stride = static_cast<std::ptrdiff_t>(panel_stride<T>(n_channels))};
  made.tiles.place = static_cast<std::ptrdiff_t>(n_rows * made.tiles.n_tiles()) * made.tiles.stride;
  return made;
}

}  // namespace

template <class T>
bool WinogradFilter<T>::suits(const FilterShape& shape, const FilterArea& area) {
  return has_enough_channels(shape) && std::min(area.height, area.width) >= kWinogradTile;
}

template <class T>
WinogradFilter<T>::WinogradFilter(const FilterShape& shape, const FilterArea& area)
    : shape_(shape),
      area_(area),
      panel_width_(panel_width<T>(shape.n_outputs)),
      stride_(panel_stride<T>(shape.n_outputs)),
      image_(tiles<T>(area.width, shape.n_inputs, shape.n_inputs, area.image_pitch * shape.n_inputs,
                      (area.width + 2) * shape.n_inputs, 1)),
      result_(tiles<T>(area.width, shape.n_outputs, stride_, area.result_pitch * stride_,
                       area.width * stride_, 1)),
      packed_(kWinogradPlaces * shape.n_inputs * stride_),
      start_(kWinogradPlaces * stride_) {}

template <class T>
void WinogradFilter<T>::pack(const T* weights) {
  for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
    for (std::size_t in = 0; in < shape_.n_inputs; ++in, weights += 9) {
      double filter[9];
      std::copy_n(weights, 9, filter);
      pack_one(out, in, filter);
    }
  }
}

template <class T>
void WinogradFilter<T>::pack_adjoint(const T* weights) {
  // Outputs and inputs trade places, and the kernel is turned by half a turn.
  for (std::size_t in = 0; in < shape_.n_inputs; ++in) {
    for (std::size_t out = 0; out < shape_.n_outputs; ++out, weights += 9) {
      double filter[9];
      std::reverse_copy(weights, weights + 9, filter);
      pack_one(out, in, filter);
    }
  }
}

template <class T>
void WinogradFilter<T>::pack_one(std::size_t output, std::size_t input, const double (&filter)[9]) {
  double transformed[kWinogradPlaces];
  transform_filter(filter, transformed);
  const std::size_t panel = output / panel_width_, column = output % panel_width_;
  for (std::size_t place = 0; place < kWinogradPlaces; ++place) {
    const std::size_t row = (panel * kWinogradPlaces + place) * shape_.n_inputs + input;
    packed_[row * panel_width_ + column] = static_cast<T>(transformed[place]);
  }
}

template <class T>
void WinogradFilter<T>::set_bias(const T* bias) {
  std::copy_n(bias, shape_.n_outputs, start_.data() + kBiasPlace * stride_);
}

template <class T>
void WinogradFilter<T>::apply(const T* image, T* result, T* scratch) const {
  const WinogradKernels<T>& kernels = winograd_kernels<T>();
  T *lines = scratch, *places = lines + image_.lines_size();
  T *result_lines = scratch + image_.size(), *result_places = result_lines + result_.lines_size();
  for (std::size_t row = 0; row < area_.height; row += kWinogradTile) {
    const std::size_t y = std::min(row, area_.height - kWinogradTile);
    kernels.image_lines(image_.lines, image + y * image_.lines.row, lines);
    for (std::size_t line = 0; line < kWinogradPatch; ++line) {
      kernels.image_places(image_.tiles, lines + line * image_.lines.line, places);
      multiply_places(line, places, result_places);
      kernels.result_line(result_.tiles, result_places, result_lines + line * result_.lines.line);
    }
    kernels.result_rows(result_.lines, result_lines, result + y * result_.lines.row);
  }
}

template <class T>
void WinogradFilter<T>::multiply_places(std::size_t line, const T* image, T* result) const {
  const auto width = static_cast<std::ptrdiff_t>(panel_width_), stride = static_cast<std::ptrdiff_t>(stride_);
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(shape_.n_inputs) * width;
  const auto first = static_cast<std::ptrdiff_t>(line * kWinogradPatch);
  Product<T> p{.rows = image_.tiles.n_tiles(), .columns = shape_.n_outputs, .n_inner = shape_.n_inputs};
  p.a = image, p.a_row = image_.tiles.stride;
  p.b = packed_.data() + first * place, p.b_inner = width;
  p.b_panel = static_cast<std::ptrdiff_t>(kWinogradPlaces) * place;
  p.init = start_.data() + first * stride, p.init_panel = width;
  p.c = result, p.c_row = stride, p.c_panel = width;
  multiply_many(p, {.count = kWinogradPatch,
                    .a = image_.tiles.place,
                    .b = place,
                    .init = stride,
                    .c = result_.tiles.place});
}

// Every result must count once, so tiles may not overlap.
template <class T>
bool WinogradGradient<T>::suits(const FilterShape& shape, const ImageShape& image) {
  return has_enough_channels(shape) && image.height % kWinogradTile == 0 && image.width % kWinogradTile == 0;
}

template <class T>
WinogradGradient<T>::WinogradGradient(const FilterShape& shape, const ImageShape& image,
                                      const ImageShape& delta)
    : shape_(shape),
      image_(image),
      delta_(delta),
      image_tiles_(tiles<T>(image.width, shape.n_inputs, image.stride, image.row(), image.row(),
                            kGradientRows)),
      delta_tiles_(tiles<T>(image.width, shape.n_outputs, delta.stride, delta.row(),
                            delta.width * delta.stride, kGradientRows)) {}

template <class T>
void WinogradGradient<T>::add(const T* image, const T* delta, T* sums, T* scratch) const {
  const std::size_t n_rows = image_.height / kWinogradTile;
  for (std::size_t row = 0; row < n_rows; row += kGradientRows) {
    const std::size_t y = row * kWinogradTile;
    add_rows(std::min(kGradientRows, n_rows - row), image + y * image_.row(), delta + delta_.inside(y), sums,
             scratch);
  }
}

template <class T>
void WinogradGradient<T>::add_rows(std::size_t n_rows, const T* image, const T* delta, T* sums,
                                   T* scratch) const {
  const WinogradKernels<T>& kernels = winograd_kernels<T>();
  T *image_places = scratch + image_tiles_.lines_size(), *delta_lines = scratch + image_tiles_.size(),
    *delta_places = delta_lines + delta_tiles_.lines_size();
  const auto image_line = [&](std::size_t row, std::size_t line) {
    return scratch + (row * kWinogradPatch + line) * image_tiles_.lines.line;
  };
  const auto delta_line = [&](std::size_t row, std::size_t line) {
    return delta_lines + (row * kWinogradPatch + line) * delta_tiles_.lines.line;
  };
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t y = row * kWinogradTile;
    kernels.image_lines(image_tiles_.lines, image + y * image_.row(), image_line(row, 0));
    kernels.delta_lines(delta_tiles_.lines, delta + y * delta_.row(), delta_line(row, 0));
  }
  const std::size_t n_tiles = image_tiles_.tiles.n_tiles();
  for (std::size_t line = 0; line < kWinogradPatch; ++line) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      kernels.image_places(image_tiles_.tiles, image_line(row, line),
                           image_places + row * n_tiles * image_tiles_.tiles.stride);
      kernels.delta_places(delta_tiles_.tiles, delta_line(row, line),
                           delta_places + row * n_tiles * delta_tiles_.tiles.stride);
    }
    multiply_places(n_rows * n_tiles, image_places, delta_places, sums + line * size() / kWinogradPatch);
  }
}

template <class T>
void WinogradGradient<T>::multiply_places(std::size_t n_tiles, const T* image, const T* delta,
                                          T* sums) const {
  const std::ptrdiff_t stride = delta_tiles_.tiles.stride;
  const auto width = static_cast<std::ptrdiff_t>(panel_width<T>(shape_.n_outputs));
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(shape_.n_inputs) * stride;
  Product<T> p{.rows = shape_.n_inputs, .columns = shape_.n_outputs, .n_inner = n_tiles};
  p.a = image, p.a_row = 1, p.a_inner = image_tiles_.tiles.stride;
  p.b = delta, p.b_inner = stride, p.b_panel = width;
  p.c = sums, p.c_row = stride, p.c_panel = width;
  p.init = p.c, p.init_row = p.c_row, p.init_panel = p.c_panel;
  multiply_many(p, {.count = kWinogradPatch,
                    .a = image_tiles_.tiles.place,
                    .b = delta_tiles_.tiles.place,
                    .init = place,
                    .c = place});
}

template <class T>
void WinogradGradient<T>::unpack(const T* sums, T* gradient) const {
  const auto stride = static_cast<std::size_t>(delta_tiles_.tiles.stride);
  for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
    for (std::size_t in = 0; in < shape_.n_inputs; ++in, gradient += 9) {
      double transformed[kWinogradPlaces], filter[9];
      for (std::size_t place = 0; place < kWinogradPlaces; ++place)
        transformed[place] = static_cast<double>(sums[(place * shape_.n_inputs + in) * stride + out]);
      transform_filter_back(transformed, filter);
      for (std::size_t tap = 0; tap < 9; ++tap) gradient[tap] += static_cast<T>(filter[tap]);
    }
  }
}

template class WinogradFilter<float>;
template class WinogradFilter<double>;
template class WinogradGradient<float>;
template class WinogradGradient<double>;

}  // namespace greybox
