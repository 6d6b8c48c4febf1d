// Parts of the data on the command line: train, validation, test, several joined by +, or all.
#pragma once

#include <greybox/selection.hpp>
#include <string>

namespace greybox::apps {

bool is_splits(const std::string& text);

// Empty: nothing is selected. Throws InputError for option `on`.
Selection parse_splits(const std::string& text);

}  // namespace greybox::apps
