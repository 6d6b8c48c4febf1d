// The parts of the report page, each gathered from an opened run as the page's JSON.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/landscape/page_grid.hpp"
#include "analysis/run/first_input.hpp"
#include "analysis/run/kept_page.hpp"
#include "analysis/run/networks.hpp"
#include "analysis/run/opened_run.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/theta/theta_grid.hpp"
#include "core/thread_pool.hpp"
#include "data/json_file.hpp"

namespace greybox {

Json report_model(const LoadedModel& loaded);
Json report_data_summary(const LoadedModel& loaded);
Json report_training(const OpenedRun& run);
Json report_curves(const std::vector<EpochReport>& epochs);

struct ReportGridRequest {
  std::vector<ThetaGrid> grids;
  WindowChoice windows;
  std::vector<std::string> terms;  // regularizers of the run
  const Execution& execution;
};
Json report_grids(const OpenedRun& run, const Networks& networks, const ReportGridRequest& request);
// None where they lack one of the terms, or are no landscapes.
std::optional<Json> kept_grids(const KeptPage& kept, const std::vector<std::string>& terms);

struct ChosenTheta {
  Theta theta;
  std::string why;  // "estimate under normD"
};
Json report_predictions(const OpenedRun& run, const ChosenTheta& chosen, ThreadPool& pool);

// Of what estimates.json and sample/posterior.json hold. Throw InputError.
Json report_estimates(const JsonValue& kept);
Json report_posterior(const JsonValue& kept);

}  // namespace greybox
