// What a training is asked to do: the model file's [train], what the user set on top, and what a run
// recorded.
#pragma once

#include "train/run_record.hpp"
#include "train/trainer.hpp"

namespace greybox {

// Set options win over the record, which wins over the model file. Throws InputError for values that make no
// sense and, with a record, for set options that contradict it.
TrainerOptions resolve_options(const TrainOptions& options, const ModelSpec& spec, const RunRecord* recorded);

// Everything that the result depends on beside the model and the data.
RecordedOptions recorded_options(const TrainerOptions& options, const ModelSpec& spec);

}  // namespace greybox
