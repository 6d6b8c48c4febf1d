// A secret that nobody can guess.
#pragma once

#include <string>
#include <string_view>

namespace greybox {

// 128 bits of the system's random numbers, as hexadecimal digits.
std::string random_secret();

// In a time that does not tell where they differ.
bool is_same_secret(std::string_view first, std::string_view second);

}  // namespace greybox
