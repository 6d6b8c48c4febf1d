// Verdicts as JSON, and back.
#pragma once

#include "data/json_file.hpp"
#include "greybox/verdict.hpp"

namespace greybox {

Json json_of(const Verdicts& verdicts);
// Of json_of; throws InputError.
Verdicts verdicts_from(const JsonValue& json);

}  // namespace greybox
