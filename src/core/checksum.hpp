// SHA-256, as 64 lower-case hexadecimal digits.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace greybox {

std::string sha256(std::string_view bytes);
// Of the numbers' bits.
std::string sha256_of_numbers(std::span<const double> values);
// Of a file of any size; throws std::system_error with the file's name and the system's reason.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace greybox
