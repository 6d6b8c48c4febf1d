// "Did you mean …?": for names that programs on top of the library read themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greybox {

// "did you mean `epochs`?" where one of the known names is close enough to be what was meant; else empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace greybox
