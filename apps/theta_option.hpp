// Parameters on the command line: a=1,c=0.2.
#pragma once

#include <greybox/run.hpp>
#include <string>

namespace greybox::apps {

// Both throw InputError that points into the text: of --theta, and of --at, which holds parameters.
Theta parse_theta(const std::string& text);
Theta parse_held(const std::string& text);

}  // namespace greybox::apps
