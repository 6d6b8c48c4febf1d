// Counters and sums read from a checkpoint: whether the training can ever have had them.
#pragma once

#include <string>

#include "train/train_state.hpp"

namespace greybox {

// What is wrong with the first of them that is; empty when all can be.
std::string mistake_of(const Progress& progress, const ProgressLimits& limits);

}  // namespace greybox
