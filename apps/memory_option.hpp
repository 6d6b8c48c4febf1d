// --memory: how much memory a command may take.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>

namespace greybox::apps {

// Adds the option to every command, and holds the program to the limit from now on: the library refuses what
// would take more, and the system gives no more.
void add_memory_option(CLI::App& app);

// "500M", "4G", "2.5GiB" or a number of bytes. Throws InputError.
std::size_t parse_memory(const std::string& text);

}  // namespace greybox::apps
