// Landscapes kept in a file, so that interrupted work need not compute them again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "greybox/landscape.hpp"

namespace greybox {

// `key` says what the landscapes are of; none where there is no file, or one with another key, or one that is
// not sound. Landscapes over parameters and verdicts are kept; views and comparisons with retraining are not.
std::optional<Landscape> read_kept_landscapes(const std::filesystem::path& file,
                                                    const std::string& key);
void keep_landscapes(const std::filesystem::path& file, const std::string& key,
                     const Landscape& report);

}  // namespace greybox
