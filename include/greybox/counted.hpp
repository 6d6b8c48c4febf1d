// Numbers with what they count, in sentences.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace greybox {

// "1 window", "3 windows"
inline std::string counted(std::integral auto n, std::string_view noun) {
  return (std::to_string(n) + ' ').append(noun) + (n == 1 ? "" : "s");
}

}  // namespace greybox
