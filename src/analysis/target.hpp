// What `--on` says: a part of the run's data, each of its windows, or another data file.
#pragma once

#include <filesystem>
#include <string>

namespace greybox {

struct Target {
  std::filesystem::path data;  // empty: what the run learned from
  std::string split;           // empty: the default
  bool is_each = false;
};

// `data` is what --data says. Throws InputError when `on` looks like a file and there is none.
Target parse_target(const std::string& on, const std::filesystem::path& data);

}  // namespace greybox
