// Parameters on the command line: a=1,c=0.2.
#pragma once

#include <map>
#include <string>

namespace greybox::apps {

// Throws InputError that points into the text.
std::map<std::string, double> parse_theta(const std::string& text);

}  // namespace greybox::apps
