// A distribution as JSON.
#pragma once

#include "data/json_file.hpp"
#include "greybox/sample.hpp"

namespace greybox {

// NaN becomes null when it is written.
Json json_of(const Posterior& posterior);

}  // namespace greybox
