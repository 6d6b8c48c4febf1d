// The published files, where they are at hand.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace greybox::test {

// The folder of pendulum/ and predator-prey/: GREYBOX_DATA_DIR, or shared/data beside the project.
inline std::optional<std::filesystem::path> real_data() {
  const char* chosen = std::getenv("GREYBOX_DATA_DIR");
  const std::filesystem::path beside =
      std::filesystem::path(GREYBOX_SOURCE_DIR).parent_path() / "shared" / "data";
  const std::filesystem::path folder = chosen != nullptr ? chosen : beside;
  if (!std::filesystem::exists(folder / "pendulum" / "expert_pendulum.npz")) return std::nullopt;
  return folder;
}

inline constexpr const char* kNoRealData =
    "the published data are not here; point GREYBOX_DATA_DIR to a folder that has them";

}  // namespace greybox::test
