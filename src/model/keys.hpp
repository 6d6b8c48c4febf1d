// The one table of a model file's tables and keys: the reader checks against it and docs/model-file.md is
// written from it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greybox {

enum class KeyType {
  text,
  number,
  number_or_pair,
  count,
  counts,
  flag,
  choice,
  equation,
  names,
  network_inputs,
  table
};

// Which numbers a key takes. Not-a-number is never one of them.
enum class Range {
  finite,
  any,
  positive,
  positive_or_infinite,
  non_negative,
  fraction,
  at_least_one,
  layer_size
};
bool contains(Range range, double value);
std::string_view describe(Range range);  // "greater than 0"; empty for `any`

struct KeyInfo {
  std::string_view name;
  KeyType type = KeyType::text;
  bool is_required = false;
  std::string_view fallback = {};  // the default as it would be written, without quotes; empty for none
  Range range = Range::finite;
  std::vector<std::string> choices = {};  // in the order of the enumeration they stand for
  std::string_view about;
};

enum class Contents {
  keys,       // the listed ones
  equations,  // NAME = "equation", names freely chosen
  tables,     // NAME = table, names freely chosen
};

struct TableInfo {
  std::string_view name;  // "train", "data.window", "network.NAME"; empty for the top of the file
  Contents contents = Contents::keys;
  std::string_view about;
  std::vector<KeyInfo> keys = {};

  const KeyInfo* find(std::string_view key) const;
};

// All tables, in the order of the documentation; built once.
const std::vector<TableInfo>& model_file_tables();
const TableInfo& table_info(std::string_view name);

// Names of the tables that stand at the top of a file: data, parameters, network…
std::vector<std::string> top_level_tables();

// The reference in Markdown that docs/model-file.md holds.
std::string model_file_reference();

}  // namespace greybox
