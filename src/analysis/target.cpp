#include "analysis/target.hpp"

#include <fmt/format.h>

#include "analysis/window_choice.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr const char* kEach = "each";

}  // namespace

Target parse_target(const std::string& on, const std::filesystem::path& data) {
  if (on.empty()) return {data, "", false};
  if (on == kEach) return {data, "", true};
  if (!is_split(on) && std::filesystem::exists(on)) return {on, "", false};
  const bool looks_like_file = on.find('.') != std::string::npos || on.find('/') != std::string::npos;
  if (looks_like_file)
    throw InputError(Diagnostic{.file = "--on",
                                .message = fmt::format("there is no data file {}", on),
                                .help = "give a split, `each`, or a file"});
  return {data, on, false};
}

}  // namespace greybox
