// Scales in run.json and in what `check` says.
#pragma once

#include "data/json_file.hpp"
#include "greybox/scales.hpp"

namespace greybox {

Json json_of(const Scales& scales);
// Throws InputError where a scale is not a number above 0.
Scales scales_from(const JsonValue& json);

}  // namespace greybox
