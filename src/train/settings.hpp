// What a training is asked to do: the model file's [train], what the user set on top, and what a run
// recorded.
#pragma once

#include <optional>

#include "train/run_record.hpp"
#include "train/trainer.hpp"

namespace greybox {

TrainMode mode_from(const std::string& name);

// Set options win over the record, which wins over the model file. Throws InputError for values that make no
// sense and, with a record, for set options that contradict it. `theta` is that of a refit, in the model's
// order.
TrainerOptions resolve_options(const TrainOptions& options, const ModelSpec& spec, const Json* recorded,
                               const std::vector<double>& theta);

// The `options` of run.json: everything that the result depends on beside the model file and the data.
Json options_json(const TrainerOptions& options, const ModelSpec& spec);

Json theta_json(const ModelSpec& spec, const std::vector<double>& theta);

}  // namespace greybox
