// One window on the command line: its number from 0, or SERIES:TIME.
#pragma once

#include <greybox/selection.hpp>
#include <string>

namespace greybox::apps {

// Throws InputError with --window as its place.
Selection parse_window(const std::string& text);

}  // namespace greybox::apps
