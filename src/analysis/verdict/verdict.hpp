// Verdicts: which parameters a regularizer determines, from its sublevel set.
#pragma once

#include "analysis/run/networks.hpp"
#include "analysis/run/window_choice.hpp"
#include "analysis/verdict/parameter_reading.hpp"
#include "analysis/verdict/theta_study.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

// What one regularizer's sublevel set says about one parameter.
Finding finding_of(const ParameterReading& reading);

Verdicts judge(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
               const StudyOptions& options);

}  // namespace greybox
