// Landscapes kept in a file, so that interrupted work need not compute them again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "greybox/landscape.hpp"

namespace greybox {

struct KeptLandscape {
  Landscape landscape;
  // Where they were asked for.
  std::optional<Verdicts> verdicts{};
};

// `key` says what the landscapes are of; none where there is no file, or one with another key, or one that is
// damaged. Landscapes over parameters and verdicts are kept; planes and comparisons with retraining are
// not.
std::optional<KeptLandscape> read_kept_landscape(const std::filesystem::path& file, const std::string& key);
void keep_landscape(const std::filesystem::path& file, const std::string& key, const KeptLandscape& kept);

}  // namespace greybox
