// Groups of parameters that some directions move together, described for the reader.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "analysis/theta/theta_box.hpp"
#include "greybox/structure.hpp"
#include "model/spec.hpp"

namespace greybox {

// The directions without effect at one θ: the orthogonal projection onto them, parameters in units of their
// ranges.
struct LostDirections {
  std::vector<double> theta;
  Eigen::MatrixXd projection;
};

// Every parameter that is moved by some lost direction, in groups; `n_determined` is 0 where nothing is left
// of a group. Entries of projections up to `negligible` count as zero.
std::vector<TiedParameters> tied_parameters(const std::vector<LostDirections>& lost, const ThetaBox& box,
                                            const ModelSpec& spec, double negligible);

}  // namespace greybox
