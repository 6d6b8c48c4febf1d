// Scripts that let shells complete commands, flags and choices.
#pragma once

#include <string>

#include "command_shape.hpp"

namespace greybox::apps {

std::string bash_completion(const CommandShape& program);
std::string zsh_completion(const CommandShape& program);
std::string fish_completion(const CommandShape& program);

}  // namespace greybox::apps
