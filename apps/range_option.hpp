// The range of a parameter on the command line: g=6:14.
#pragma once

#include <greybox/augment.hpp>
#include <string>

namespace greybox::apps {

// Throws InputError that points into the text.
AugmentedRange parse_range(const std::string& text);

}  // namespace greybox::apps
