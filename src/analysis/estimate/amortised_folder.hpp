// The run folder of a trained estimator: the run it came from, with other weights of the estimator.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/run/opened_run.hpp"
#include "train/curves.hpp"

namespace greybox {

struct TrainedEstimator {
  std::vector<double> weights;  // of all networks
  std::vector<EpochResult> epochs;
  nlohmann::ordered_json options;  // under which it was trained, for the record
};

// RUN-amortised, beside the run.
std::filesystem::path amortised_folder(const std::filesystem::path& run);
// The options under which the run's estimator was trained; null when it was not.
nlohmann::ordered_json estimator_record(const std::filesystem::path& run);
void write_amortised_run(const OpenedRun& run, const std::filesystem::path& folder,
                         const TrainedEstimator& trained);

}  // namespace greybox
