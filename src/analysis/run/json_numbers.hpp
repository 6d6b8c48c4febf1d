// JSON has no NaN and is given null instead: numbers as they were.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace greybox {

inline double number_from(const nlohmann::ordered_json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

inline std::vector<double> numbers_from(const nlohmann::ordered_json& json) {
  std::vector<double> values;
  for (const nlohmann::ordered_json& value : json) values.push_back(number_from(value));
  return values;
}

}  // namespace greybox
