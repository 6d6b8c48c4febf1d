// Convolution by Winograd's method: transforms around one matrix product per place.
#include "nn/winograd_filter.hpp"

#include <algorithm>

namespace greybox {
namespace {

// With fewer channels the transforms cost more than the products they save.
constexpr std::size_t kFewestChannels = 8;

bool has_enough_channels(const FilterShape& shape) {
  return shape.kernel == 3 && !shape.is_line && std::min(shape.n_inputs, shape.n_outputs) >= kFewestChannels;
}

// Rows of tiles that go into one product: enough to pay for loading the filter, or the gradient's sums.
constexpr std::size_t kTileRows = 2;

// The tiles of rows of `width` results. The odd tile keeps places apart in the cache.
template <class T>
TileShape tiles(std::size_t width, std::size_t n_channels, std::size_t row, std::size_t pixel) {
  TileShape made{.width = width,
                 .n_channels = n_channels,
                 .row = static_cast<std::ptrdiff_t>(row),
                 .pixel = static_cast<std::ptrdiff_t>(pixel),
                 .tile = static_cast<std::ptrdiff_t>(panel_stride<T>(n_channels))};
  made.place = static_cast<std::ptrdiff_t>(kTileRows * made.n_tiles() + 1) * made.tile;
  return made;
}

std::size_t places_size(const TileShape& shape) {
  return kWinogradPlaces * static_cast<std::size_t>(shape.place);
}

// Asks for the memory of a row of tiles' results while there are products to make: writing them would wait
// for it.
template <class T>
void prefetch_results(const TileShape& shape, const T* result) {
  const std::size_t size = shape.width * static_cast<std::size_t>(shape.pixel);
  for (std::size_t row = 0; row < kWinogradTile; ++row, result += shape.row) {
    for (std::size_t i = 0; i < size; i += padded<T>(1)) __builtin_prefetch(result + i, 1);
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
      panel_width_(panel_width<T>(shape.n_outputs)),
      stride_(panel_stride<T>(shape.n_outputs)),
      image_(tiles<T>(area.width, shape.n_inputs, area.image_pitch * shape.n_inputs, shape.n_inputs)),
      result_(tiles<T>(area.width, stride_, area.result_pitch * stride_, stride_)),
      in_place_(stride_ == panel_width_ && image_.tile == result_.tile),
      packed_(kWinogradPlaces * shape.n_inputs * stride_),
      bias_(stride_) {}

template <class T>
std::size_t WinogradFilter<T>::scratch_size() const {
  return places_size(image_) + (in_place_ ? 0 : places_size(result_));
}

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
  std::copy_n(bias, shape_.n_outputs, bias_.data());
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
  const std::size_t n_tiles = image_.n_tiles();
  T *places = scratch, *products = in_place_ ? places : places + places_size(image_);
  const auto top = [&](std::size_t row) {
    return std::min((first + row) * kWinogradTile, height - kWinogradTile);
  };
  for (std::size_t row = 0; row < n; ++row) {
    kernels.image_places(image_, image + top(row) * image_.row, places + row * n_tiles * image_.tile);
    prefetch_results(result_, result + top(row) * result_.row);
  }
  multiply_places(n * n_tiles, places, products);
  for (std::size_t row = 0; row < n; ++row)
    kernels.result_pixels(result_, products + row * n_tiles * result_.tile, bias_.data(),
                          result + top(row) * result_.row);
}

template <class T>
void WinogradFilter<T>::multiply_places(std::size_t n_tiles, const T* image, T* result) const {
  const auto width = static_cast<std::ptrdiff_t>(panel_width_);
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(shape_.n_inputs) * width;
  Product<T> p{.rows = n_tiles, .columns = shape_.n_outputs, .n_inner = shape_.n_inputs};
  p.a = image, p.a_row = image_.tile;
  p.b = packed_.data(), p.b_inner = width;
  p.b_panel = static_cast<std::ptrdiff_t>(kWinogradPlaces) * place;
  p.c = result, p.c_row = result_.tile, p.c_panel = width;
  multiply_many(p, {.count = kWinogradPlaces, .a = image_.place, .b = place, .c = result_.place});
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
      stride_(panel_stride<T>(shape.n_outputs)),
      image_tiles_(tiles<T>(image.width, shape.n_inputs, image.row(), image.stride)),
      delta_tiles_(tiles<T>(image.width, shape.n_outputs, delta.row(), delta.stride)) {}

template <class T>
std::size_t WinogradGradient<T>::scratch_size() const {
  return places_size(image_tiles_) + places_size(delta_tiles_);
}

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
  const std::size_t n_tiles = image_tiles_.n_tiles();
  T *image_places = scratch, *delta_places = scratch + places_size(image_tiles_);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::size_t y = row * kWinogradTile, tile = row * n_tiles;
    kernels.image_places(image_tiles_, image + y * image_.row(), image_places + tile * image_tiles_.tile);
    kernels.delta_places(delta_tiles_, delta + y * delta_.row(), delta_places + tile * delta_tiles_.tile);
  }
  multiply_places(n_rows * n_tiles, image_places, delta_places, sums);
}

template <class T>
void WinogradGradient<T>::multiply_places(std::size_t n_tiles, const T* image, const T* delta,
                                          T* sums) const {
  const auto stride = static_cast<std::ptrdiff_t>(stride_);
  const auto width = static_cast<std::ptrdiff_t>(panel_width<T>(shape_.n_outputs));
  const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(shape_.n_inputs) * stride;
  Product<T> p{.rows = shape_.n_inputs, .columns = shape_.n_outputs, .n_inner = n_tiles};
  p.a = image, p.a_row = 1, p.a_inner = image_tiles_.tile;
  p.b = delta, p.b_inner = delta_tiles_.tile, p.b_panel = width;
  p.c = sums, p.c_row = stride, p.c_panel = width;
  p.init = p.c, p.init_row = p.c_row, p.init_panel = p.c_panel;
  multiply_many(p, {.count = kWinogradPlaces,
                    .a = image_tiles_.place,
                    .b = delta_tiles_.place,
                    .init = place,
                    .c = place});
}

template <class T>
void WinogradGradient<T>::unpack(const T* sums, T* gradient) const {
  for (std::size_t out = 0; out < shape_.n_outputs; ++out) {
    for (std::size_t in = 0; in < shape_.n_inputs; ++in, gradient += 9) {
      double transformed[kWinogradPlaces], filter[9];
      for (std::size_t place = 0; place < kWinogradPlaces; ++place)
        transformed[place] = static_cast<double>(sums[(place * shape_.n_inputs + in) * stride_ + out]);
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
