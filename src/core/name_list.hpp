// Names in a message, of which there may be any number.
#pragma once

#include <string>
#include <vector>

namespace greybox {

// "a, b, c", or the first of them "and 970 more".
std::string name_list(const std::vector<std::string>& names);

}  // namespace greybox
