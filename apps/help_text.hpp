// The help of a command, wrapped to a width.
#pragma once

#include <memory>
#include <string>

#include "command_shape.hpp"

namespace greybox::apps {

std::string help_text(const CommandShape& command, std::size_t width, bool has_colours);

// What CLI11 asks for help.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace greybox::apps
