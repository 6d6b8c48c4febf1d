// What all ways to estimate share: their results in one form, with warnings, ledger and RUN/estimates.json.
#pragma once

#include "analysis/estimate/point_estimate.hpp"
#include "analysis/run/opened_run.hpp"
#include "greybox/estimate.hpp"

namespace greybox {

// `range` is that of the data, for the NRMSE.
Estimate to_estimate(const ModelSpec& spec, const PointEstimate& point, double range);
// Says where in the data the window of an estimate stands.
void place_at(const LoadedModel& loaded, std::size_t window, Estimate& estimate);

// Without answers to compare with there are no errors: L, RMSE and NRMSE become NaN.
void forget_errors(std::vector<Estimate>& estimates);

// Throws InputError, with --rate as the place, unless both are positive.
void check_rates(const std::pair<double, double>& rate);

// Adds warnings and the JSON form, and tells the run's ledger and its estimates.json.
void complete_report(const OpenedRun& run, const EstimateOptions& options, const std::string& purpose,
                     EstimateReport& report);

}  // namespace greybox
