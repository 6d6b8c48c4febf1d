// JSON texts put together without being read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace greybox::apps {

bool is_utf8(const std::string& text);

std::string json_of(const std::string& text);
std::string json_of(const std::vector<std::filesystem::path>& files);

// The text of a JSON object with one more member, whose value is a JSON text too.
std::string with_member(const std::string& object, const std::string& name, const std::string& value);

}  // namespace greybox::apps
