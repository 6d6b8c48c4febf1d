// Verdicts as JSON, and back.
#pragma once

#include <string>

#include "greybox/verdict.hpp"

namespace greybox {

std::string verdict_json(const VerdictReport& report);
VerdictReport verdicts_from(const std::string& json);  // of verdict_json

}  // namespace greybox
