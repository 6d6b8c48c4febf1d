// Operations between and on fields, sample by sample: sums over grid points, stencils and their transposes.
#if defined(GREYBOX_LANGUAGE_FIELD_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_FIELD_MATH_INL_HPP
#undef GREYBOX_LANGUAGE_FIELD_MATH_INL_HPP
#else
#define GREYBOX_LANGUAGE_FIELD_MATH_INL_HPP
#endif

#include <cstddef>

#include "core/double_sum-inl.hpp"
#include "hwy/highway.h"
#include "language/bordered_field.hpp"
#include "language/kernels.hpp"
#include "language/operation_math-inl.hpp"
#include "language/partial_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether a result replaces what is there or is added to it.
enum class Write { set, add };

template <Write write, class D, class T = hn::TFromD<D>>
void write_part(D d, hn::Vec<D> values, T* to, std::size_t count) {
  if constexpr (write == Write::add) values = hn::Add(values, load_part(d, to, count));
  store_part(d, values, to, count);
}

// field[s][p] (+)= scalar[s]
template <Write write, class T>
void spread(const Block<T>& block, const T* scalar, T* field) {
  const hn::ScalableTag<T> d;
  const std::size_t points = block.grid.points();
  for (std::size_t s = 0; s < block.n_samples; ++s) {
    const auto value = hn::Set(d, scalar[s]);
    for (std::size_t p = 0; p < points; p += hn::Lanes(d)) {
      write_part<write>(d, value, field + s * points + p, points - p);
    }
  }
}

// Distance of a grid point from the first one, along x and along y.
struct GridX {
  static constexpr Operation kOperation = Operation::grid_x;
  static double distance(const Grid& grid, std::size_t point) {
    return static_cast<double>(point % grid.width) * grid.dx;
  }
};
struct GridY {
  static constexpr Operation kOperation = Operation::grid_y;
  static double distance(const Grid& grid, std::size_t point) {
    return static_cast<double>(point / grid.width) * grid.dy;
  }
};

// field[s][p] = scalar[s] + distance of p
template <class Coordinate, class T>
void lay_coordinate(const Block<T>& block, const T* scalar, T* field) {
  for (std::size_t s = 0; s < block.n_samples; ++s)
    for (std::size_t p = 0; p < block.grid.points(); ++p)
      *field++ = static_cast<T>(static_cast<double>(scalar[s]) + Coordinate::distance(block.grid, p));
}

// to[s][p] (+)= factor[s] · from[s][p]
template <Write write, class T>
void scale_field(const Block<T>& block, const T* factor, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  const std::size_t points = block.grid.points();
  for (std::size_t s = 0; s < block.n_samples; ++s, from += points, to += points) {
    const auto value = hn::Set(d, factor[s]);
    for (std::size_t p = 0; p < points; p += hn::Lanes(d))
      write_part<write>(d, hn::Mul(value, load_part(d, from + p, points - p)), to + p, points - p);
  }
}

// The values of a field, or their products with another field's.
template <class T>
struct Terms {
  const T* field;
  const T* factor = nullptr;

  template <class D>
  hn::Vec<D> load(D d, std::size_t i, std::size_t count) const {
    const auto values = load_part(d, field + i, count);
    return factor ? hn::Mul(values, load_part(d, factor + i, count)) : values;
  }
};

// scalar[s] (+)= Σ_p term[s][p]
template <Write write, class T>
void gather(const Block<T>& block, const Terms<T>& terms, T* scalar) {
  const std::size_t points = block.grid.points();
  for (std::size_t s = 0; s < block.n_samples; ++s) {
    const double sum = sum_in_double(points, [&](std::size_t i, std::size_t left) HWY_ATTR {
      return as_double<T>(terms.load(NarrowTag<T>(), s * points + i, left));
    });
    const T total = static_cast<T>(sum);
    scalar[s] = write == Write::add ? scalar[s] + total : total;
  }
}

// A point and its four neighbours; up is the row before, down the row after.
template <class V>
struct Neighbourhood {
  V centre, left, right, up, down;
};

// (u_left - 2 u + u_right) / Δx² + (u_up - 2 u + u_down) / Δy²; symmetric
struct Laplacian {
  static constexpr Operation kOperation = Operation::laplacian;
  static constexpr bool kIsSymmetric = true;
  template <class D, class V>
  static V value(D d, const Grid& grid, const Neighbourhood<V>& u) {
    const V along_x = hn::Sub(hn::Sub(u.right, u.centre), hn::Sub(u.centre, u.left));
    const V along_y = hn::Sub(hn::Sub(u.down, u.centre), hn::Sub(u.centre, u.up));
    return hn::MulAdd(along_x, number(d, 1 / (grid.dx * grid.dx)),
                      hn::Mul(along_y, number(d, 1 / (grid.dy * grid.dy))));
  }
};

// (u_right - u_left) / (2 Δx); antisymmetric
struct Dx {
  static constexpr Operation kOperation = Operation::dx;
  static constexpr bool kIsSymmetric = false;
  template <class D, class V>
  static V value(D d, const Grid& grid, const Neighbourhood<V>& u) {
    return hn::Mul(hn::Sub(u.right, u.left), number(d, 0.5 / grid.dx));
  }
};

// (u_down - u_up) / (2 Δy); antisymmetric
struct Dy {
  static constexpr Operation kOperation = Operation::dy;
  static constexpr bool kIsSymmetric = false;
  template <class D, class V>
  static V value(D d, const Grid& grid, const Neighbourhood<V>& u) {
    return hn::Mul(hn::Sub(u.down, u.up), number(d, 0.5 / grid.dy));
  }
};

// to (+)= sign · Stencil(from), with `outside` beyond the edges
template <class Stencil, Write write, class T>
void apply_stencil(const Block<T>& block, const Outside& outside, double sign, const T* from, T* to) {
  const hn::ScalableTag<T> d;
  const Grid& grid = block.grid;
  const std::size_t stride = bordered_stride(grid);
  for (std::size_t s = 0; s < block.n_samples; ++s) {
    fill_bordered(grid, outside, from + s * grid.points(), block.bordered);
    for (std::size_t y = 0; y < grid.height; ++y) {
      const T* centre = block.bordered + (y + 1) * stride + 1;
      T* result = to + s * grid.points() + y * grid.width;
      for (std::size_t x = 0; x < grid.width; x += hn::Lanes(d)) {
        const Neighbourhood<hn::Vec<decltype(d)>> u{
            hn::LoadU(d, centre + x), hn::LoadU(d, centre + x - 1), hn::LoadU(d, centre + x + 1),
            hn::LoadU(d, centre + x - stride), hn::LoadU(d, centre + x + stride)};
        const auto value = hn::Mul(number(d, sign), Stencil::value(d, grid, u));
        write_part<write>(d, value, result + x, grid.width - x);
      }
    }
  }
}

// The transpose of a stencil with its boundary is plus or minus the same stencil with a boundary of its own:
// where the edge is replicated, an antisymmetric stencil's transpose sees minus the edge outside; a fixed
// value becomes zero.
template <class Stencil>
Outside outside_of_gradient(const Grid& grid) {
  Outside outside = outside_of_tangent(grid);
  if (!Stencil::kIsSymmetric && outside.rule == Outside::Rule::edge) outside.rule = Outside::Rule::minus_edge;
  return outside;
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
