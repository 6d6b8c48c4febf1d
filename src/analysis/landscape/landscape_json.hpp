// A landscape report as one JSON object.
#pragma once

#include <string>

#include "greybox/landscape.hpp"

namespace greybox {

std::string landscape_json(const LandscapeReport& report);

}  // namespace greybox
