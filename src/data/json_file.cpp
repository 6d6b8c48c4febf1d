#include "data/json_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "core/limits.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::uintmax_t kMostJsonBytes = std::uintmax_t{1} << 28U;
constexpr int kMostJsonDepth = 64;
// Whole numbers up to here are exact in double precision.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 53U;
constexpr const char* kHelp = "remove the file, and run the command that makes it again";

}  // namespace

void JsonValue::refuse(const std::string& expected) const {
  greybox::refuse(file_,
                  place_.empty() ? fmt::format("this is not {}", expected)
                                 : fmt::format("`{}` is not {}", place_, expected),
                  kHelp);
}

JsonValue JsonValue::at(const std::string& name) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(name);
  if (found == json_->end())
    greybox::refuse(file_, fmt::format("`{}{}{}` is missing", place_, place_.empty() ? "" : ".", name),
                    kHelp);
  return {*found, file_, place_.empty() ? name : place_ + "." + name};
}

std::optional<JsonValue> JsonValue::find(const std::string& name) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(name);
  if (found == json_->end() || found->is_null()) return std::nullopt;
  return at(name);
}

std::vector<JsonValue> JsonValue::elements() const {
  if (!json_->is_array()) refuse("a list");
  std::vector<JsonValue> values;
  for (std::size_t i = 0; i < json_->size(); ++i)
    values.push_back(JsonValue((*json_)[i], file_, fmt::format("{}[{}]", place_, i)));
  return values;
}

std::vector<std::string> JsonValue::names() const {
  if (!json_->is_object()) refuse("an object");
  std::vector<std::string> names;
  for (const auto& [name, value] : json_->items()) names.push_back(name);
  return names;
}

std::string JsonValue::text() const {
  if (!json_->is_string()) refuse("text");
  return json_->get<std::string>();
}

bool JsonValue::boolean() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

double JsonValue::number() const {
  if (json_->is_null()) return kNaN;
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

std::uint64_t JsonValue::whole_number() const {
  if (!json_->is_number_unsigned()) refuse("a whole number of 0 or more");
  return json_->get<std::uint64_t>();
}

std::size_t JsonValue::count() const {
  const std::uint64_t value = whole_number();
  if (value > kMostCount) refuse("a number of things");
  return value;
}

std::vector<double> JsonValue::numbers() const {
  std::vector<double> values;
  for (const JsonValue& element : elements()) values.push_back(element.number());
  return values;
}

std::vector<std::string> JsonValue::texts() const {
  std::vector<std::string> values;
  for (const JsonValue& element : elements()) values.push_back(element.text());
  return values;
}

std::map<std::string, double> JsonValue::numbers_by_name() const {
  std::map<std::string, double> values;
  for (const std::string& name : names()) values[name] = at(name).number();
  return values;
}

std::optional<Json> read_json_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  if (!std::filesystem::is_regular_file(file, error)) refuse(file, "this is not a file", kHelp);
  if (std::filesystem::file_size(file, error) > kMostJsonBytes)
    refuse(file, fmt::format("the file is larger than {} MiB", kMostJsonBytes >> 20U), kHelp);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) refuse(file, "the file cannot be read", "check its permissions");
  try {
    const auto is_shallow = [&](int depth, Json::parse_event_t, Json&) {
      if (depth > kMostJsonDepth)
        refuse(file, fmt::format("the JSON is nested more than {} deep", kMostJsonDepth), kHelp);
      return true;
    };
    return Json::parse(stream, is_shallow);
  } catch (const Json::exception& problem) {
    refuse(file, fmt::format("this is not valid JSON ({})", problem.what()), kHelp);
  }
}

}  // namespace greybox
