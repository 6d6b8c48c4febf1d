// Point estimates as JSON.
#pragma once

#include "data/json_file.hpp"
#include "greybox/estimate.hpp"

namespace greybox {

// Without the estimates of single windows, which stand in a file of their own.
Json summary_json(const Estimate& estimate);

}  // namespace greybox
