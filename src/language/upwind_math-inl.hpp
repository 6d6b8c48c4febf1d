// First-order upwind differences: c ∂u/∂x by the neighbour that the velocity c comes from, and their
// partials.
#if defined(GREYBOX_LANGUAGE_UPWIND_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef GREYBOX_LANGUAGE_UPWIND_MATH_INL_HPP
#undef GREYBOX_LANGUAGE_UPWIND_MATH_INL_HPP
#else
#define GREYBOX_LANGUAGE_UPWIND_MATH_INL_HPP
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "language/field_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace greybox {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The axis of the difference: its length and spacing, and the distance in memory between neighbours along it.
struct UpwindX {
  static constexpr Operation kOperation = Operation::upwind_x;
  static double spacing(const Grid& grid) { return grid.dx; }
  static std::size_t length(const Grid& grid) { return grid.width; }
  static std::size_t index(const Grid& grid, std::size_t point) { return point % grid.width; }
  static std::size_t step(const Grid&) { return 1; }
  static std::size_t bordered_step(const Grid&) { return 1; }
};
struct UpwindY {
  static constexpr Operation kOperation = Operation::upwind_y;
  static double spacing(const Grid& grid) { return grid.dy; }
  static std::size_t length(const Grid& grid) { return grid.height; }
  static std::size_t index(const Grid& grid, std::size_t point) { return point / grid.width; }
  static std::size_t step(const Grid& grid) { return grid.width; }
  static std::size_t bordered_step(const Grid& grid) { return bordered_stride(grid); }
};

// Calls f(i, count, before, after, c), the differences of `from` to both neighbours and the velocity, for the
// values from i on, as many vectors as a row has.
template <class Axis, class T, class F>
void for_each_difference(const Block<T>& block, const Outside& outside, const T* from, const T* velocity,
                         F&& f) {
  const hn::ScalableTag<T> d;
  const Grid& grid = block.grid;
  const std::size_t stride = bordered_stride(grid), step = Axis::bordered_step(grid);
  for (std::size_t s = 0; s < block.n_samples; ++s) {
    fill_bordered(grid, outside, from + s * grid.points(), block.bordered);
    for (std::size_t y = 0; y < grid.height; ++y) {
      const T* row = block.bordered + (y + 1) * stride + 1;
      const std::size_t first = s * grid.points() + y * grid.width;
      for (std::size_t x = 0; x < grid.width; x += hn::Lanes(d)) {
        const auto centre = hn::LoadU(d, row + x);
        f(first + x, grid.width - x, hn::Sub(centre, hn::LoadU(d, row + x - step)),
          hn::Sub(hn::LoadU(d, row + x + step), centre), load_part(d, velocity + first + x, grid.width - x));
      }
    }
  }
}

// to (+)= c (u - u_before) / Δ where c ≥ 0, c (u_after - u) / Δ where c < 0
template <class Axis, Write write, class T>
void advect(const Block<T>& block, const Outside& outside, const T* from, const T* velocity, T* to) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V per_spacing = number(d, 1 / Axis::spacing(block.grid));
  for_each_difference<Axis>(block, outside, from, velocity,
                            [&](std::size_t i, std::size_t count, V before, V after, V c) HWY_ATTR {
                              const V slope = hn::IfThenElse(hn::Lt(c, hn::Zero(d)), after, before);
                              write_part<write>(d, hn::Mul(c, hn::Mul(slope, per_spacing)), to + i, count);
                            });
}

// to += factor · ∂c, where ∂c is the slope on the side that c comes from, at c = 0 the mean of both
template <class Axis, class T>
void add_upwind_slope(const Block<T>& block, const T* u, const T* velocity, const T* factor, T* to) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  const V per_spacing = number(d, 1 / Axis::spacing(block.grid));
  for_each_difference<Axis>(
      block, outside_of_field(block.grid), u, velocity,
      [&](std::size_t i, std::size_t count, V before, V after, V c) HWY_ATTR {
        const V zero = hn::Zero(d), mean = hn::Mul(number(d, 0.5), hn::Add(before, after));
        const V side = hn::IfThenElse(hn::Lt(c, zero), after, before);
        const V slope = hn::Mul(hn::IfThenElse(hn::Eq(c, zero), mean, side), per_spacing);
        write_part<Write::add>(d, hn::Mul(slope, load_part(d, factor + i, count)), to + i, count);
      });
}

// to += the transpose of the advection by c, applied to grad: each point gives to itself and to the neighbour
// that it reads, which at the edge is itself, the other side or none.
template <class Axis, class T>
void add_advected_back(const Block<T>& block, const T* velocity, const T* grad, T* to) {
  const Grid& grid = block.grid;
  const std::size_t step = Axis::step(grid), last = Axis::length(grid) - 1, points = grid.points();
  const T per_spacing = static_cast<T>(1 / Axis::spacing(grid));
  // A line has no neighbours across it.
  const bool repeats =
      grid.boundary == Boundary::no_flux || (Axis::kOperation == Operation::upwind_y && grid.height == 1);
  for (std::size_t s = 0; s < block.n_samples; ++s, velocity += points, grad += points, to += points)
    for (std::size_t p = 0; p < points; ++p) {
      const bool comes_after = velocity[p] < 0;
      const T share = velocity[p] * grad[p] * per_spacing * static_cast<T>(comes_after ? -1 : 1);
      const std::size_t index = Axis::index(grid, p), edge = comes_after ? last : 0;
      to[p] += share;
      if (index != edge)
        to[comes_after ? p + step : p - step] -= share;
      else if (repeats)
        to[p] -= share;
      else if (grid.boundary == Boundary::periodic)
        to[comes_after ? p - last * step : p + last * step] -= share;
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace greybox
HWY_AFTER_NAMESPACE();

#endif
