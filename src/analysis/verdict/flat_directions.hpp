// What ties parameters together where each alone is left open: products of powers, or sums.
#pragma once

#include <string>
#include <vector>

#include "analysis/theta/theta_coordinates.hpp"
#include "analysis/verdict/parameter_reading.hpp"

namespace greybox {

// A combination that a regularizer determines: Π θ^k or Σ k·θ over some of the varied parameters.
struct Tie {
  std::vector<std::size_t> axes;
  std::vector<double> factors;  // exponents or coefficients; the first is positive
  bool is_product = false;
  double share = 0;  // width of its interval as a part of its range over the prior
  double best = 0;
  Interval interval;
};

// The varied parameters of a model, by their place in a valley's rows.
struct VariedParameters {
  const ThetaCoordinates& coordinates;
  // Of the model.
  const std::vector<std::size_t>& parameters;

  double in_units(std::size_t axis, double u) const { return coordinates.theta(parameters[axis], u); }
};

// Ties between `open` axes that are much narrower than the parameters that they tie. Pairs are tried first,
// then all together.
std::vector<Tie> find_ties(const Valley& valley, const std::vector<std::size_t>& open,
                           const VariedParameters& varied);

// Coordinates of the varied parameters at which the tie has its best value, from all over the prior; others
// than its own as at the valley's best point.
std::vector<std::vector<double>> points_along(const Tie& tie, const Valley& valley,
                                              const VariedParameters& varied);

// "a·b", "a^2/b", "a + 2·b"
std::string tie_text(const Tie& tie, const std::vector<std::string>& names);

}  // namespace greybox
