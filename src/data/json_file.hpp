// JSON files that may come from a stranger: read with limits, and every value checked as it is taken out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace greybox {

using Json = nlohmann::ordered_json;

// A value inside a JSON document, with its place for messages. Every function throws InputError that names
// the file and the place when the value is not what is asked for. The document must outlive it.
class JsonValue {
 public:
  JsonValue(const Json& document, std::string file) : json_(&document), file_(std::move(file)) {}

  // A member of an object; `find` gives none where it is missing or null.
  JsonValue at(const std::string& name) const;
  std::optional<JsonValue> find(const std::string& name) const;
  // The elements of an array.
  std::vector<JsonValue> elements() const;
  // Of an object, in its order.
  std::vector<std::string> names() const;

  std::string text() const;
  bool boolean() const;
  // JSON has no NaN: null stands for it.
  double number() const;
  std::size_t count() const;
  std::uint64_t whole_number() const;
  std::vector<double> numbers() const;
  std::vector<std::string> texts() const;
  std::map<std::string, double> numbers_by_name() const;

  // Throws InputError: the value is not `expected`.
  [[noreturn]] void refuse(const std::string& expected) const;
  const Json& json() const { return *json_; }

 private:
  JsonValue(const Json& json, std::string file, std::string place)
      : json_(&json), file_(std::move(file)), place_(std::move(place)) {}

  const Json* json_;
  std::string file_, place_;
};

// Reads a file of at most 256 MiB, nested at most 64 deep. None when there is no such file; throws InputError
// when it is not JSON.
std::optional<Json> read_json_file(const std::filesystem::path& file);

// The same for a text; `name` is what messages call it.
Json read_json_text(std::string_view text, const std::string& name);

}  // namespace greybox
