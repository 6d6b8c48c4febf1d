// What all ways to estimate share: their results in one form, with warnings, ledger and kept estimates.
#pragma once

#include "analysis/run/window_choice.hpp"
#include "analysis/theta/point_estimate.hpp"
#include "greybox/estimate.hpp"

namespace greybox {

// `range` is that of the data, for the NRMSE.
WindowEstimate to_estimate(const ModelSpec& spec, const PointEstimate& point, double range);
// Says where in the data the window of an estimate stands.
void place_at(const LoadedModel& loaded, std::size_t window, WindowEstimate& estimate);

// Throws InputError, with option `rate` as the place, unless both are positive.
void check_rates(const std::pair<double, double>& rate);

// What was asked for, without any estimate yet.
Estimate new_estimate(const OpenedTarget& target, const EstimateOptions& options, const std::string& method);
// One for all windows, or one per window, with means over those that have one.
void set_estimates(std::vector<WindowEstimate> estimates, bool is_per_window, Estimate& result);
// Adds warnings, and records the use of the data and the estimate in the run.
void complete(const OpenedTarget& target, const EstimateOptions& options, const std::string& purpose,
              Estimate& result);

}  // namespace greybox
