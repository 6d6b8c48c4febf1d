// Golden cases: NAME.toml (or another ending) with a mistake in it, and NAME.expected with the message that
// must come of it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace greybox::test {

inline std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::vector<std::filesystem::path> case_files(const std::filesystem::path& folder,
                                                     const char* ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

inline std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder) {
  return case_files(folder, ".toml");
}

// Compares `text` with the file, or rewrites the file when GREYBOX_UPDATE_CASES is set.
inline void expect_text_of_file(const std::string& text, const std::filesystem::path& file) {
  if (std::getenv("GREYBOX_UPDATE_CASES") != nullptr) std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(text, read_text(file))
      << file << "\nif the new text is the better one, run again with GREYBOX_UPDATE_CASES=1";
}

// `message_of(file)` gives the message, in which paths are to be reduced to file names.
inline void expect_golden_cases(const std::filesystem::path& folder,
                                const std::function<std::string(const std::filesystem::path&)>& message_of,
                                const char* ending = ".toml") {
  for (const std::filesystem::path& file : case_files(folder, ending)) {
    std::filesystem::path expected = file;
    expect_text_of_file(message_of(file) + "\n", expected.replace_extension(".expected"));
  }
}

}  // namespace greybox::test
