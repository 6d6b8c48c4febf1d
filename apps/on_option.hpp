// What --on says: a part of the run's data, each of its windows, a data file, or grid points of the inputs.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <greybox/selection.hpp>
#include <string>

namespace greybox::apps {

enum class EachWindow : bool { refused, allowed };

void add_on_option(CLI::App& command, std::string& on, EachWindow each);

struct OnChoice {
  Selection on{};
  // Empty: no file is named.
  std::filesystem::path data{};
  bool each_window = false;
};

// Throws InputError when the text looks like a file and there is none, like grid points and is none, or like
// nothing known.
OnChoice parse_on(const std::string& text);

}  // namespace greybox::apps
