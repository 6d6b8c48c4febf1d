// The one table of a model file's tables and keys: the reader checks against it and docs/model-file.md is
// written from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/key_info.hpp"

namespace greybox {

enum class Contents {
  keys,       // the listed ones
  equations,  // NAME = "equation", names freely chosen
  names,      // NAME = "another name", names freely chosen
  tables,     // NAME = table, names freely chosen
  numbers,    // NAME = number, names freely chosen
};

struct TableInfo {
  std::string_view name;  // "train", "data.window", "network.NAME"; empty for the top of the file
  Contents contents = Contents::keys;
  std::string_view about;
  std::vector<KeyInfo> keys = {};

  const KeyInfo* find(std::string_view key) const;
};

// Keys of `[network.NAME]`: those of every network, and those of each registered kind.
std::vector<KeyInfo> network_keys();

// All tables, in the order of the documentation; built once.
const std::vector<TableInfo>& model_file_tables();
const TableInfo& table_info(std::string_view name);

// Names of the tables that stand at the top of a file: data, parameters, network…
std::vector<std::string> top_level_tables();

// The reference in Markdown that docs/model-file.md holds.
std::string model_file_reference();

}  // namespace greybox
