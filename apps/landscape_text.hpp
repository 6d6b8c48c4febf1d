// A landscape report as a person reads it on a terminal.
#pragma once

#include <greybox/landscape.hpp>

namespace greybox::apps {

void print_landscapes(const LandscapeReport& report);

}  // namespace greybox::apps
