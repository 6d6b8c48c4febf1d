// The published files, where they are at hand.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "support/paths.hpp"

namespace greybox::test {

// The folder of pendulum/ and predator-prey/: GREYBOX_DATA_DIR, or some folder's `data` beside the project.
inline std::optional<std::filesystem::path> real_data() {
  namespace fs = std::filesystem;
  std::error_code no_access;  // folders that may not be looked into do not have them
  const auto has_files = [&](const fs::path& folder) {
    return fs::exists(folder / "pendulum/expert_pendulum.npz", no_access);
  };
  if (const char* chosen = std::getenv("GREYBOX_DATA_DIR"))
    return has_files(chosen) ? std::optional<fs::path>(chosen) : std::nullopt;
  for (const fs::directory_entry& beside :
       fs::directory_iterator(fs::path(kSourceFolder).parent_path(), no_access))
    if (has_files(beside.path() / "data")) return beside.path() / "data";
  return std::nullopt;
}

inline constexpr const char* kNoRealData =
    "the published data are not here; point GREYBOX_DATA_DIR to a folder that has them";

}  // namespace greybox::test
