// Sizes that a file or an option asks for, held against the memory that may be taken.
#pragma once

#include <string>
#include <string_view>

#include "greybox/memory.hpp"

namespace greybox {

// "3.2 GiB"
std::string memory_text(double bytes);

[[noreturn]] void refuse_memory(double bytes, std::string_view what, std::string_view help);

// Throws InputError when `bytes` are more than the limit; `what()` names what needs them, and `help` says how
// to do with less.
template <class What>
void require_memory(double bytes, const What& what, std::string_view help) {
  if (bytes > static_cast<double>(memory_limit())) refuse_memory(bytes, what(), help);
}

}  // namespace greybox
