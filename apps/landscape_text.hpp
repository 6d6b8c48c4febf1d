// A landscape as a person reads it on a terminal.
#pragma once

#include <greybox/landscape.hpp>

namespace greybox::apps {

// Null: there are no verdicts. Lowest points of a run that does not `fit` its data are not to be read.
void print_landscape(const Landscape& landscape, const Verdicts* verdicts, bool fits);

}  // namespace greybox::apps
