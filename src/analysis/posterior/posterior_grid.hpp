// p(θ) exp(-β R(θ)) over one or two parameters, at every point of a grid.
#pragma once

#include <functional>
#include <vector>

#include "model/spec.hpp"

namespace greybox {

// Values of each parameter, evenly spaced by its scale.
using GridAxes = std::vector<std::vector<double>>;
// R at all points, the last axis running fastest; NaN where there is none.
using GridFunction = std::function<std::vector<double>(const GridAxes& axes)>;

struct PosteriorGrid {
  GridAxes axes;
  std::vector<double> mass;  // of the cell around each point; empty when R is finite nowhere
  bool is_cut = false;       // it goes on beyond every grid: there is no such distribution
};

// Starts with nearly the whole prior, follows the distribution beyond it where there is no bound, and closes
// in on where it lies, until it fills the grid.
PosteriorGrid close_in(const GridFunction& regularizer, const std::vector<ParameterSpec>& parameters,
                       double beta);

// Of the cells along an axis: halfway between points, and the ends.
std::vector<double> cell_edges(const std::vector<double>& axis);
std::vector<double> marginal(const PosteriorGrid& grid, std::size_t axis);

// A distribution over bins with constant density in each.
struct BinnedMoments {
  double mean = 0, sd = 0;
};
BinnedMoments binned_moments(const std::vector<double>& edges, const std::vector<double>& mass);
double binned_quantile(const std::vector<double>& edges, const std::vector<double>& mass, double p);

// Draws θ (draws × parameters): `uniform` gives independent numbers in (0, 1).
std::vector<double> draw_from(const PosteriorGrid& grid, std::size_t n,
                              const std::function<double()>& uniform);

}  // namespace greybox
