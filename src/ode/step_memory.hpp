// The memory that the steps of a solver take.
#pragma once

#include "core/memory_limit.hpp"

namespace greybox {

inline constexpr const char* kFewerSteps =
    "loosen the tolerances, lower max_steps, or take a fixed step in [solver]";

}  // namespace greybox
