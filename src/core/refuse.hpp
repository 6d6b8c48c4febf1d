// A mistake of the user in one place, an option or a file, and how to mend it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "greybox/error.hpp"

namespace greybox {

[[noreturn]] inline void refuse(const std::filesystem::path& place, std::string message, std::string help) {
  throw InputError(
      Diagnostic{.file = place.string(), .message = std::move(message), .help = std::move(help)});
}

}  // namespace greybox
