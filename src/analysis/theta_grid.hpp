// Grids over one or two parameters, the others held.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/theta_box.hpp"
#include "greybox/landscape.hpp"

namespace greybox {

struct ThetaGrid {
  std::vector<std::size_t> varied;  // which parameters, one per axis
  std::vector<LandscapeAxis> axes;
  std::vector<double> held;  // a value for every parameter; unused where it is varied

  std::vector<std::size_t> shape() const;
  std::size_t size() const;
  std::vector<double> theta() const;                   // points × parameters, the last axis running fastest
  std::vector<double> point(std::size_t place) const;  // one value per axis
};

struct GridRequest {
  std::vector<VariedParameter> vary;  // empty: all parameters
  std::map<std::string, double> at;   // as the user holds them
  std::map<std::string, double>
      estimate;  // what is held otherwise, where there is a value; else the prior's median
};

// One grid for one or two varied parameters, one for every pair of more. Throws InputError with all mistakes.
std::vector<ThetaGrid> make_grids(const ModelSpec& spec, const GridRequest& request);

}  // namespace greybox
