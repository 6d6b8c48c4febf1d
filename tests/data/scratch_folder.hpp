// A folder of its own for each test, and the one way to expect a refusal.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>

#include "greybox/error.hpp"

namespace greybox {
class Run;
}

namespace greybox::test {

class ScratchFolder : public ::testing::Test {
 protected:
  // Which the private function of googletest's class would hide.
  using Run = greybox::Run;

  ScratchFolder() { std::filesystem::create_directories(folder_); }
  ~ScratchFolder() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
  }
  static std::string bytes_of(const std::filesystem::path& file) {
    std::ostringstream content;
    content << std::ifstream(file, std::ios::binary).rdbuf();
    return content.str();
  }

 private:
  static std::filesystem::path fresh_folder() {
    static std::atomic<int> count = 0;
    return std::filesystem::temp_directory_path() /
           ("greybox-data-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
  }
  std::filesystem::path folder_ = fresh_folder();
};

// `action` must throw InputError whose first mistake is in `file` at `element`, says `message` and offers
// help.
inline void expect_refused(const std::function<void()>& action, const std::filesystem::path& file,
                           const std::string& element, const std::string& message) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    EXPECT_EQ(first.file, file.string());
    EXPECT_EQ(first.element, element);
    EXPECT_NE(first.message.find(message), std::string::npos) << "said: " << first.message;
    EXPECT_FALSE(first.help.empty());
  }
}

// The same where an option is wrong, by the name of its field.
inline void expect_option_refused(const std::function<void()>& action, const std::string& option,
                                  const std::string& message) {
  try {
    action();
    ADD_FAILURE() << "nothing was refused";
  } catch (const InputError& error) {
    const Diagnostic& first = error.diagnostics().front();
    EXPECT_EQ(first.option, option);
    EXPECT_NE(first.message.find(message), std::string::npos) << "said: " << first.message;
    EXPECT_FALSE(first.help.empty());
  }
}

}  // namespace greybox::test
