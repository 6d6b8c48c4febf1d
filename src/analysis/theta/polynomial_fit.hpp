// Smooth functions of several numbers from their values at scattered points: polynomials of a total degree,
// by least squares.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace greybox {

class PolynomialFit {
 public:
  // With the highest degree that has no more than `most_terms` terms.
  PolynomialFit(std::size_t n_axes, std::size_t most_terms);

  std::size_t n_terms() const { return powers_.size() / n_axes_; }
  // Points × axes, each in [-1, 1], dense towards the ends as Chebyshev points are: for these the fit is well
  // conditioned from about twice as many points as terms.
  static std::vector<double> points(std::size_t n_points, std::size_t n_axes);
  // [quantity][point]
  void fit(std::span<const double> points, const std::vector<std::vector<double>>& values);

  std::size_t n_quantities() const { return coefficients_.size(); }
  // `slopes`: [quantity][axis].
  void evaluate(std::span<const double> x, std::span<double> values, std::span<double> slopes) const;

 private:
  void set_terms(std::span<const double> x) const;

  std::size_t n_axes_, degree_ = 0;
  // [term][axis]
  std::vector<std::size_t> powers_;
  // [quantity][term]
  std::vector<std::vector<double>> coefficients_;
  // Of the last point: Chebyshev polynomials and their derivatives, [axis][degree]; terms, and their
  // derivatives, [term][axis].
  mutable std::vector<double> chebyshev_, chebyshev_slopes_, terms_, term_slopes_;
};

}  // namespace greybox
