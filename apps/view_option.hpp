// A plane through all parameters on the command line: random, pca or pca:REGULARIZER.
#pragma once

#include <greybox/landscape.hpp>
#include <string>

namespace greybox::apps {

// Empty: no plane. Throws InputError with --view as its place.
LandscapePlane parse_view(const std::string& text);

}  // namespace greybox::apps
