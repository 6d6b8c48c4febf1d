// The ledger of a run folder, into which several processes write: the training that makes the run, and those
// who look at it meanwhile.
#pragma once

#include <filesystem>

#include "train/run_record.hpp"

namespace greybox {

// Writes the record of a training. What others have added to the ledger of the folder stays, and is in
// `record` then.
void update_record(const std::filesystem::path& folder, RunRecord& record);

}  // namespace greybox
