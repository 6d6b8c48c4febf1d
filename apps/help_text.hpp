// The help of a command, wrapped to a width.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_shape.hpp"

namespace greybox::apps {

std::string help_text(const CommandShape& command, std::size_t width, bool has_colours);

// Broken between words into lines of at most so many characters; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// What CLI11 asks for help.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace greybox::apps
