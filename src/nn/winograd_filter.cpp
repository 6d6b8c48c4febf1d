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

// Rows of tiles that go into one product: enough to pay for loading the filter, or the gradient's sums.
constexpr std::size_t kTileRows = 2;

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

// Asks for the memory of a row of tiles' results, a share with each line: writing them all at once would wait
// for it.
template <class T>
void prefetch_results(const LineShape& shape, std::size_t line, const T* result) {
  const std::size_t first = line * shape.size / kWinogradPatch,
                    end = (line + 1) * shape.size / kWinogradPatch;
  for (std::size_t row = 0; row < kWinogradTile; ++row, result += shape.row) {
    for (std::size_t i = first; i < end; i += padded<T>(1)) __builtin_prefetch(result + i, 1);
  }
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
                      (area.width + 2) * shape.n_inputs, kTileRows)),
      result_(tiles<T>(area.width, shape.n_outputs, stride_, area.result_pitch * stride_,
                       area.width * stride_, kTileRows)),
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
void WinogradFilter<T>::apply(std::size_t n_rows, const T* image, T* result, T* scratch) const {
  const std::size_t n_tile_rows = (n_rows + kWinogradTile - 1) / kWinogradTile;
  for (std::size_t row = 0; row < n_tile_rows; row += kTileRows)
    apply_rows(row, std::min(kTileRows, n_tile_rows - row), n_rows, image, result, scratch);
}

// Rows of tiles `first` to first + n; the last of all `height` rows of results ends where they end.
template <class T>
void WinogradFilter<T>::apply_rows(std::size_t first, std::size_t n, std::size_t height, const T* image,
                                   T* result, T* scratch) const {
  const WinogradKernels<T>& kernels = winograd_kernels<T>();
  T *places = scratch + image_.lines_size(), *result_lines = scratch + image_.size(),
    *result_places = result_lines + result_.lines_size();
  const auto top = [&](std::size_t row) {
    return std::min((first + row) * kWinogradTile, height - kWinogradTile);
  };
  for (std::size_t row = 0; row < n; ++row)
    kernels.image_lines(image_.lines, image + top(row) * image_.lines.row, scratch + image_.line(row, 0));
  for (std::size_t line = 0; line < kWinogradPatch; ++line) {
    for (std::size_t row = 0; row < n; ++row) {
      prefetch_results(result_.lines, line, result + top(row) * result_.lines.row);
      kernels.image_places(image_.tiles, scratch + image_.line(row, line), places + image_.first_tile(row));
    }
    multiply_places(line, n * image_.tiles.n_tiles(), places, result_places);
    for (std::size_t row = 0; row < n; ++row)
      kernels.result_line(result_.tiles, result_places + result_.first_tile(row),
                          result_lines + result_.line(row, line));
  }
  for (std::size_t row = 0; row < n; ++row)
    kernels.result_rows(result_.lines, result_lines + result_.line(row, 0),
                        result + top(row) * result_.lines.row);
}

template <class T>
void WinogradFilter<T>::multiply_places(std::size_t line, std::size_t n_tiles, const T* image,
                                        T* result) const {
  const auto width = static_cast<std::ptrdiff_t>(panel_width_), stride = static_cast<std::ptrdiff_t>(stride_);
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(shape_.n_inputs) * width;
  const auto first = static_cast<std::ptrdiff_t>(line * kWinogradPatch);
  Product<T> p{.rows = n_tiles, .columns = shape_.n_outputs, .n_inner = shape_.n_inputs};
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
      image_tiles_(tiles<T>(image.width, shape.n_inputs, image.stride, image.row(), image.row(), kTileRows)),
      delta_tiles_(tiles<T>(image.width, shape.n_outputs, delta.stride, delta.row(),
                            delta.width * delta.stride, kTileRows)) {}

template <class T>
void WinogradGradient<T>::add(std::size_t n_rows, const T* image, const T* delta, T* sums, T* scratch) const {
  const std::size_t n_tile_rows = n_rows / kWinogradTile;
  for (std::size_t row = 0; row < n_tile_rows; row += kTileRows) {
    const std::size_t y = row * kWinogradTile;
    add_rows(std::min(kTileRows, n_tile_rows - row), image + y * image_.row(), delta + delta_.inside(y), sums,
             scratch);
  }
}

template <class T>
void WinogradGradient<T>::add_rows(std::size_t n_rows, const T* image, const T* delta, T* sums,
                                   T* scratch) const {
  const WinogradKernels<T>& kernels = winograd_kernels<T>();
  T *image_places = scratch + image_tiles_.lines_size(), *delta_lines = scratch + image_tiles_.size(),
    *delta_places = delta_lines + delta_tiles_.lines_size();
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t y = row * kWinogradTile;
    kernels.image_lines(image_tiles_.lines, image + y * image_.row(), scratch + image_tiles_.line(row, 0));
    kernels.delta_lines(delta_tiles_.lines, delta + y * delta_.row(),
                        delta_lines + delta_tiles_.line(row, 0));
  }
  for (std::size_t line = 0; line < kWinogradPatch; ++line) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      kernels.image_places(image_tiles_.tiles, scratch + image_tiles_.line(row, line),
                           image_places + image_tiles_.first_tile(row));
      kernels.delta_places(delta_tiles_.tiles, delta_lines + delta_tiles_.line(row, line),
                           delta_places + delta_tiles_.first_tile(row));
    }
    multiply_places(n_rows * image_tiles_.tiles.n_tiles(), image_places, delta_places,
                    sums + line * size() / kWinogradPatch);
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
