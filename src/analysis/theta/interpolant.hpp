// Smooth functions over an interval or a square from their values at few points.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace greybox {

// [quantity][point]
using Quantities = std::vector<std::vector<double>>;
// Values at points of the unit interval or square: one coordinate per axis of each.
using QuantitiesAt = std::function<Quantities(const std::vector<std::vector<double>>& points)>;

struct InterpolationLimits {
  // Where quantities change less from one level to the next, as a part of their range, that level is kept.
  double tolerance = 1e-3;
  // A range smaller than this part of a quantity's largest magnitude counts as that.
  double least_range = 1e-2;
  // By quantity, as far as it goes: a range smaller than this counts as this. Read after each evaluation.
  const std::vector<double>* smallest_ranges = nullptr;
  // Whether the error may be foretold from how it fell over the last two levels, for callers that check it.
  bool may_foretell = false;
  std::size_t most_points = 0;
};

// A product of polynomials through Chebyshev points, whose number is each axis' own.
class Interpolant {
 public:
  // Refines, along whichever axis needs it, until the tolerance is met; none when that takes more points than
  // allowed, or a value is not finite.
  static std::optional<Interpolant> make(std::size_t n_axes, const QuantitiesAt& evaluate,
                                         const InterpolationLimits& limits);

  // Through the same points, of other functions; none where a value is not finite.
  std::optional<Interpolant> of_others(const QuantitiesAt& evaluate) const;

  std::size_t n_points() const { return sizes_[0] * sizes_[1]; }
  // Largest change at the last level, as a part of a quantity's range; foretold where that may be.
  double error() const { return error_; }
  // At all combinations of positions along the axes, the last running fastest.
  Quantities at(const std::vector<std::vector<double>>& positions) const;

 private:
  explicit Interpolant(std::size_t n_axes);
  bool fill(const QuantitiesAt& evaluate);
  void refine(std::size_t axis);
  double error_along(std::size_t axis, std::size_t level, const InterpolationLimits& limits) const;
  bool is_met(const double (&errors)[2], const InterpolationLimits& limits);
  double value(std::size_t quantity, std::size_t axis, std::size_t along, std::size_t across) const;

  std::size_t n_axes_;
  // A second axis that is not there has one point.
  std::size_t levels_[2], sizes_[2];
  // [quantity][place], the last axis running fastest; NaN where not known yet.
  Quantities values_;
  double error_ = 0;
};

}  // namespace greybox
