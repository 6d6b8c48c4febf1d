// The paper's two measured data sets, from the files their authors published to tables.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "data/table.hpp"

namespace greybox {

// A published file and the SHA-256 that it must have.
struct DataSource {
  std::string_view name;
  std::string_view sha256;
};

std::span<const DataSource> pendulum_sources();       // expert_pendulum.npz
std::span<const DataSource> predator_prey_sources();  // C1.csv … C10.csv
// Throws InputError when a source is not in `folder` or is not the published file.
void check_sources(const std::filesystem::path& folder, std::span<const DataSource> sources);

// Columns cos_angle, sin_angle, velocity; one series per episode, 0.05 apart, the first 100 steps of each.
DataTable convert_pendulum(const std::filesystem::path& npz);
// Columns prey (algae × 0.5) and predator (rotifers × 0.02); series C1 … C10 linearly interpolated to whole
// days.
DataTable convert_predator_prey(const std::filesystem::path& folder);

}  // namespace greybox
