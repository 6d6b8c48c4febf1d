// Which parameters a landscape varies, on the command line: a=0:2:101, a=0:2 or a.
#pragma once

#include <greybox/landscape.hpp>
#include <string>
#include <vector>

namespace greybox::apps {

// Throws InputError that points into the text.
VariedParameter parse_vary(const std::string& text);
std::vector<VariedParameter> parse_vary(const std::vector<std::string>& texts);

}  // namespace greybox::apps
