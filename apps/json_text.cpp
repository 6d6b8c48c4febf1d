#include "json_text.hpp"

#include <nlohmann/json.hpp>

namespace greybox::apps {

bool is_utf8(const std::string& text) {
  try {
    json_of(text);
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

std::string json_of(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string json_of(const std::vector<std::filesystem::path>& files) {
  nlohmann::json list = nlohmann::json::array();
  for (const std::filesystem::path& file : files) list.push_back(file.string());
  return list.dump();
}

std::string with_member(const std::string& object, const std::string& name, const std::string& value) {
  const std::size_t end = object.rfind('}');
  const bool is_empty = object.find('"') == std::string::npos;
  return object.substr(0, end) + (is_empty ? "" : ",") + json_of(name) + ':' + value + '}';
}

}  // namespace greybox::apps
