// A training like that of an earlier run.
#pragma once

#include "greybox/train.hpp"

namespace greybox {

// The model becomes the run's, and what is not set (mode, seed, λ, …) is as in its record, where it has one.
void inherit_options(TrainOptions& options, const std::filesystem::path& run);

}  // namespace greybox
