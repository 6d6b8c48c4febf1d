// Verdicts: which parameters a regularizer determines, from its sublevel set.
#pragma once

#include "analysis/verdict/profile.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

// What one regularizer's sublevel set says about one parameter.
Finding finding_of(const ParameterReading& reading);

Verdicts judge(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
               const CloudOptions& options);

}  // namespace greybox
