// A session whose curves and checkpoints stand in a folder that becomes a run once it has finished.
#pragma once

#include "train/run_folder.hpp"
#include "train/session.hpp"

namespace greybox {

// The folder is claimed and holds no record. Continues from its checkpoint, if there is one; with
// `may_discard`, a checkpoint of another training is replaced instead of refused with InputError. A
// divergence leaves no checkpoint: a further attempt needs other options.
TrainingResult run_in_folder(TrainingSession& session, const RunFolder& folder, bool may_discard);

}  // namespace greybox
