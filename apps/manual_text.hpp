// Manual pages, as man reads them.
#pragma once

#include <string>

#include "command_shape.hpp"

namespace greybox::apps {

// "greybox-data-toy.1"
std::string manual_name(const CommandShape& command);
std::string manual_page(const CommandShape& command, const CommandShape& program);

}  // namespace greybox::apps
