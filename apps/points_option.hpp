// Grid points of the inputs on the command line: x=-3:3:200, or x=-3:3:50,z=0:1:20.
#pragma once

#include <greybox/selection.hpp>
#include <string>

namespace greybox::apps {

// Throws InputError with --on as its place.
Points parse_points(const std::string& text);

}  // namespace greybox::apps
