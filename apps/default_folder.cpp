#include "default_folder.hpp"

#include <algorithm>

namespace greybox::apps {

std::filesystem::path default_folder(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  // A model may have any name, and ".." is another folder.
  if (name.starts_with('.')) name.front() = '_';
  return std::filesystem::path("runs") / name;
}

std::filesystem::path folder_beside(const std::filesystem::path& run, const std::string& ending) {
  std::filesystem::path folder = (run / "").parent_path();
  folder += ending;
  return folder;
}

}  // namespace greybox::apps
