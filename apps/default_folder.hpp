// Where results go when the user names no folder.
#pragma once

#include <filesystem>
#include <string>

namespace greybox::apps {

// runs/NAME; a name of several parts is kept in one.
std::filesystem::path default_folder(std::string name);

// RUN with an ending: RUN-refit.
std::filesystem::path folder_beside(const std::filesystem::path& run, const std::string& ending);

}  // namespace greybox::apps
