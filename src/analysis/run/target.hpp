// What `--on` says: a part of the run's data, each of its windows, another data file, or grid points of the
// inputs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/run/input_points.hpp"
#include "analysis/run/window_choice.hpp"

namespace greybox {

struct Target {
  std::filesystem::path data{};  // empty: what the run learned from
  std::string split{};           // empty: the default
  bool is_each = false;
  std::vector<InputAxis> points{};  // not empty: grid points, which have no answers
  std::string text{};               // as the user wrote it
};

// `data` is what --data says. Throws InputError when `on` looks like a file and there is none, or like grid
// points and is none.
Target parse_target(const std::string& on, const std::filesystem::path& data);

struct OpenedTarget {
  OpenedRun run;
  WindowChoice choice;
};

OpenedTarget open_target(const std::filesystem::path& run, const Target& target,
                         const std::vector<std::string>& regularizers);

}  // namespace greybox
