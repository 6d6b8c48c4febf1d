// Which parameters a landscape varies (a=0:2:101, a=0:2 or a) and which it holds (b=1,d=2), on the command
// line.
#pragma once

#include <greybox/landscape.hpp>
#include <map>
#include <string>

namespace greybox::apps {

// Both throw InputError that points into the text.
VariedParameter parse_vary(const std::string& text);
std::map<std::string, double> parse_held(const std::string& text);

}  // namespace greybox::apps
