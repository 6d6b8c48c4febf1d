// The landscape of adaptive networks against trainings at fixed θ.
#pragma once

#include "analysis/landscape/landscape_scan.hpp"

namespace greybox {

inline constexpr std::size_t kMostRetrainings = 10'000;

// The trainings of `options.retrain`.
std::vector<PlannedTraining> retrainings(const OpenedRun& run, const std::vector<ThetaGrid>& grids,
                                         const LandscapeOptions& options);

// Trains `options.retrain` networks at values of θ spread over the grids (Latin hypercube), kept with
// the run under retrained/, and compares their R with that of the adaptive networks at the same θ, on the
// same windows. Throws Interruption when cancelled.
std::vector<RetrainedPoint> compare_with_retraining(const OpenedRun& run, const Networks& networks,
                                                    const WindowChoice& choice,
                                                    const std::vector<ThetaGrid>& grids,
                                                    const LandscapeOptions& options);

// One per regularizer.
std::vector<RetrainedSummary> summarise(const std::vector<RetrainedPoint>& points);

}  // namespace greybox
