// What is said to a command line that cannot be read.
#pragma once

#include <CLI/CLI.hpp>
#include <greybox/error.hpp>

namespace greybox::apps {

// Of words that `app` does not know, with the one that may have been meant.
InputError wrong_use(const CLI::App& app, const CLI::ParseError& error);

}  // namespace greybox::apps
