// Landscapes kept in a file, so that interrupted work need not compute them again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "greybox/landscape.hpp"

namespace greybox {

// `key` says what the landscape is of; one with another key, or a file that is not sound, is no landscape.
std::optional<Landscape> read_kept_landscape(const std::filesystem::path& file, const std::string& key);
void keep_landscape(const std::filesystem::path& file, const std::string& key, const Landscape& landscape);

}  // namespace greybox
