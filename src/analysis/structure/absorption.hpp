// What a network that is free to be any function of its inputs can undo of the theory's changes with θ.
#pragma once

#include <vector>

#include "analysis/theta/theta_box.hpp"
#include "greybox/structure.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// At some values of θ, over snapshots of these windows. A change of the theory with θ is absorbed where it is
// a smooth function of what the network sees, in components that the network adds to.
NetworkStructure network_structure(const LoadedModel& loaded, const ThetaBox& box,
                                   const std::vector<std::size_t>& windows,
                                   const std::vector<std::vector<double>>& thetas);

}  // namespace greybox
