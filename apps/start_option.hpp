// What --start says: values of states, a window or a row of the data, or a row with some states changed.
#pragma once

#include <greybox/simulate.hpp>
#include <string>

namespace greybox::apps {

// `angle=0.3,velocity=0`, `3`, `C1:2.5`, or one of the latter two with `,name=value,…`. Throws InputError
// that points at what cannot be read.
SimulationStart parse_start(const std::string& text);

}  // namespace greybox::apps
