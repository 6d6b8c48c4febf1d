// Keys of a model file: what value each takes, its default, its range, and a line of documentation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace greybox {

enum class KeyType {
  text,
  text_or_names,
  number,
  number_or_duration,
  number_or_pair,
  number_or_equation,
  number_list,
  count,
  count_or_duration,
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
  std::string about;

  bool operator==(const KeyInfo&) const = default;
};

}  // namespace greybox
