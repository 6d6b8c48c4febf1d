// Landscapes kept in a file, so that interrupted work need not compute them again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "greybox/landscape.hpp"

namespace greybox {

// `key` says what the landscapes are of; none where there is no file, or one with another key, or one that is
// not sound. Of one network: bands are not kept.
std::vector<Landscape> read_kept_landscapes(const std::filesystem::path& file, const std::string& key);
void keep_landscapes(const std::filesystem::path& file, const std::string& key,
                     const std::vector<Landscape>& landscapes);

}  // namespace greybox
