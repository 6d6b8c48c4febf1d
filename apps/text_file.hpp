// Files that the user names, written as a whole.
#pragma once

#include <filesystem>
#include <string>

namespace greybox::apps {

// Replaces what is there, a link itself and not what it leads to. Throws std::runtime_error when that cannot
// be done; what was there is then untouched.
void write_text_file(const std::filesystem::path& file, const std::string& text);

// Adds to a file, or makes it. False, and nothing is written, where something else than a file of that name
// is there: a link, a pipe, a folder.
bool append_to_text_file(const std::filesystem::path& file, const std::string& text);

}  // namespace greybox::apps
