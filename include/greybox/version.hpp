// Which version of the library a program runs with.
#pragma once

#include <string_view>

namespace greybox {

// "major.minor.patch" of the library that is linked, which may be newer than these headers.
std::string_view version();

}  // namespace greybox
