// Verdicts: which parameters a regularizer determines, from the set of θ that it does not rule out.
#pragma once

#include "analysis/verdict/profile.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

using VerdictOptions = CloudOptions;

// What one regularizer's low set says about one parameter.
Finding finding_of(const ParameterReading& reading);

VerdictReport judge(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                    const VerdictOptions& options);

}  // namespace greybox
