// Partial dependence of a correction on its variables.
#pragma once

#include <vector>

#include "analysis/explain/explained_points.hpp"
#include "core/stage_progress.hpp"
#include "greybox/explain.hpp"

namespace greybox {

// Of the components given by their indices, each on every variable.
std::vector<PartialDependence> partial_dependences(const OpenedRun& run, const ExplainedPoints& points,
                                                   const std::vector<std::size_t>& components,
                                                   const StageProgress& stage);

}  // namespace greybox
