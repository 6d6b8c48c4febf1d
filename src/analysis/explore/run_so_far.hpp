// A run while it is being trained, perhaps by another process: how far it is, and what it knows by now.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "greybox/run.hpp"

namespace greybox {

// The run as though its training had been stopped at its last checkpoint: the record says so, and the
// weights are those of that moment. Finished runs, and those in memory, are returned as they are. Throws
// InputError when there is no checkpoint yet, and for runs that diverged.
Run run_so_far(const Run& run);

// Whether a process is training into the folder at this moment.
bool is_being_trained(const std::filesystem::path& folder);

}  // namespace greybox
