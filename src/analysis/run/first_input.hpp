// What an algebraic model is shown over.
#pragma once

#include <cstddef>
#include <optional>

#include "model/bound_model.hpp"

namespace greybox {

// The first column that is read but not predicted.
std::optional<std::size_t> first_input(const BoundModel& model);
// How many there are.
std::size_t n_inputs(const BoundModel& model);

}  // namespace greybox
