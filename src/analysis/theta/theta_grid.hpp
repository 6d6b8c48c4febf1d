// Grids over parameters, the others held, or over a plane through all of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/theta/theta_box.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

struct ThetaGrid {
  std::vector<std::size_t> varied;  // which parameters, one per axis
  std::vector<LandscapeAxis> axes;
  std::vector<double> held;                       // a value for every parameter; unused where it is varied
  std::string view{};                             // what makes the plane; empty: axes are parameters
  std::vector<std::vector<double>> directions{};  // of a plane through `held`: [axis][parameter]

  std::vector<std::size_t> shape() const;
  std::size_t size() const;
  std::vector<double> theta() const;                   // points × parameters, the last axis running fastest
  std::vector<double> point(std::size_t place) const;  // one value per axis
  std::vector<double> theta_at(std::size_t place) const;                 // one value per parameter
  std::vector<double> theta_of(const std::vector<double>& point) const;  // the same, of any point of the axes
  std::vector<std::size_t> places_within(const ThetaBox& box) const;
};

struct GridRequest {
  // Empty: all parameters.
  std::vector<VariedParameter> vary;
  // As the user holds them.
  std::map<std::string, double> at;
  // What is held otherwise, where there is a value; else the prior's median.
  std::map<std::string, double> reference;
  // Of one grid; more varied parameters than that give one grid for every pair.
  std::size_t most_axes = 2;
};

inline constexpr std::size_t kGridPoints = 101;  // along each axis of a single landscape

// Evenly spaced from end to end.
std::vector<double> evenly_spaced_values(double low, double high, std::size_t n);
// The same, or evenly spaced logarithms.
std::vector<double> axis_values(double low, double high, std::size_t n, bool is_log);

// Throws InputError with all mistakes.
std::vector<ThetaGrid> make_grids(const ModelSpec& spec, const GridRequest& request);
// Where a request holds the parameters, all of them. Throws InputError with all mistakes.
std::vector<double> held_point(const ModelSpec& spec, const GridRequest& request);

}  // namespace greybox
