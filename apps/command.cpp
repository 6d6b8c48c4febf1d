#include "command.hpp"

#include <fmt/format.h>

#include "flag_names.hpp"
#include "json_text.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {

void print_warnings(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) tell_message("warning: " + with_flags(warning));
}

void print_json(const std::string& json, const std::vector<std::filesystem::path>& files) {
  fmt::print("{}\n", with_member(json, "files", json_of(files)));
}

void print_files(const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files) fmt::print("{}\n", file.string());
}

}  // namespace greybox::apps
