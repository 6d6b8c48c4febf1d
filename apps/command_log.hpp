// Which commands asked something of a run: one line each in RUN/commands.txt, for the report's provenance.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace greybox::apps {

// The arguments as a person would type them again, on one line.
std::string command_line(int argc, const char* const* argv);

// Adds the line to the folder that the command calls RUN, if there is one. A folder that cannot be written
// has no such list.
void log_command(const CLI::App& app, const std::string& line);

}  // namespace greybox::apps
