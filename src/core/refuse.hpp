// A mistake of the user in one place, a file or an option, and how to mend it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "greybox/error.hpp"

namespace greybox {

[[noreturn]] inline void refuse(const std::filesystem::path& file, std::string message, std::string help) {
  throw InputError(Diagnostic{.file = file.string(), .message = std::move(message), .help = std::move(help)});
}

// `option` is the field of an options struct.
[[noreturn]] inline void refuse_option(std::string option, std::string message, std::string help) {
  throw InputError(
      Diagnostic{.option = std::move(option), .message = std::move(message), .help = std::move(help)});
}

}  // namespace greybox
