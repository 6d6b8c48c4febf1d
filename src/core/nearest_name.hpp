// "Did you mean …?": the known name closest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace greybox {

// The candidate with the smallest edit distance (insert, delete, replace, swap neighbours), if it is close
// enough to be a likely slip; case is ignored at first.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace greybox
