// A landscape as a person reads it on a terminal.
#pragma once

#include <greybox/landscape.hpp>

namespace greybox::apps {

// Null: there are no verdicts.
void print_landscape(const Landscape& landscape, const Verdicts* verdicts);

}  // namespace greybox::apps
