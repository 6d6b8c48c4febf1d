// What went wrong in a trajectory that diverged: followed once more in double, step by step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/loaded_model.hpp"
#include "train/divergence.hpp"

namespace greybox {

// Nothing when the trajectory stays finite in double. `weights` are those of the step that met it.
std::optional<DivergenceSite> search_divergence(const LoadedModel& loaded, std::span<const double> weights,
                                                const NonFinite& cause);

}  // namespace greybox
