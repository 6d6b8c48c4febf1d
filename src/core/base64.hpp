// Bytes as text that any page or JSON file can hold.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace greybox {

std::string base64(std::span<const std::byte> bytes);

}  // namespace greybox
