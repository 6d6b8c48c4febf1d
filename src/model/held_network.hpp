// A model whose networks no longer follow θ: they see the θ they are held at, while the theory moves on.
#pragma once

#include <vector>

#include "model/spec.hpp"

namespace greybox {

// In the inputs of networks and in [data_driven], parameters become the given numbers, also inside of the
// theory's components and of definitions. Shapes and weights stay what they were. Throws InputError where
// `theory` as a whole is part of an expression. `spec` has been bound before: its names have meanings.
ModelSpec with_held_network(const ModelSpec& spec, const std::vector<double>& theta);

}  // namespace greybox
