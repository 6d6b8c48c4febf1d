// JSON has no NaN and is given null instead: numbers as they were.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/limits.hpp"

namespace greybox {

inline double number_from(const nlohmann::ordered_json& json) {
  return json.is_null() ? kNaN : json.get<double>();
}

inline std::vector<double> numbers_from(const nlohmann::ordered_json& json) {
  std::vector<double> values;
  for (const nlohmann::ordered_json& value : json) values.push_back(number_from(value));
  return values;
}

}  // namespace greybox
