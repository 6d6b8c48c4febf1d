// The run folder of a trained estimator: the run it came from, with other weights of the estimator.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/run/opened_run.hpp"
#include "train/run_folder.hpp"
#include "train/session.hpp"

namespace greybox {

struct TrainedEstimator {
  TrainingResult result;
  // Under which it was trained, for the record.
  nlohmann::ordered_json options;
};

// RUN-amortised, beside the run.
std::filesystem::path amortised_folder(const std::filesystem::path& run);
// The options under which the run's estimator was trained; null when it was not.
nlohmann::ordered_json estimator_record(const std::filesystem::path& run);
// Into a claimed folder that has the training's curves already.
void write_amortised_run(const OpenedRun& run, const RunFolder& folder, const TrainedEstimator& trained);

}  // namespace greybox
