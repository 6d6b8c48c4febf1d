// The real program, run as a user runs it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/scratch_folder.hpp"
#include "support/paths.hpp"

namespace greybox::test {

struct ToolResult {
  int exit_code = -1;
  std::string out, err;
};

// Runs programs in a folder of their own.
class ToolTest : public ScratchFolder {
 protected:
  ToolResult greybox(const std::vector<std::string>& arguments) const { return run(kTool, arguments); }

  ToolResult run(const std::string& program, const std::vector<std::string>& arguments) const {
    const pid_t child = ::fork();
    if (child == 0) start(program, arguments);
    running_ = child;
    int status = 0;
    ::waitpid(child, &status, 0);
    ToolResult result{.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                      .out = bytes_of(path(".stdout")),
                      .err = bytes_of(path(".stderr"))};
    std::filesystem::remove(path(".stdout"));
    std::filesystem::remove(path(".stderr"));
    return result;
  }

  // The program that was started last; for another thread, to send it signals.
  pid_t running() const { return running_; }

  // Exit code 2, nothing on stdout, and `part` in the message.
  void expect_wrong_input(const std::vector<std::string>& arguments, const std::string& part) const {
    expect_failure(arguments, 2, part);
  }
  void expect_failure(const std::vector<std::string>& arguments, int exit_code,
                      const std::string& part) const {
    const ToolResult result = greybox(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << ::testing::PrintToString(arguments) << '\n' << result.err;
    EXPECT_EQ(result.out, "") << ::testing::PrintToString(arguments);
    EXPECT_NE(result.err.find(part), std::string::npos) << "no `" << part << "` in:\n" << result.err;
  }

  // Exit code 0 and silence on stderr; gives what is on stdout.
  std::string expect_done(const std::vector<std::string>& arguments) const {
    const ToolResult result = greybox(arguments);
    EXPECT_EQ(result.exit_code, 0) << ::testing::PrintToString(arguments) << '\n' << result.err;
    EXPECT_EQ(result.err, "") << ::testing::PrintToString(arguments);
    return result.out;
  }
  nlohmann::json expect_json(const std::vector<std::string>& arguments) const {
    const std::string text = expect_done(arguments);
    auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    EXPECT_TRUE(json.is_object()) << text;
    return json;
  }

  static std::filesystem::path source(const std::string& name) {
    return std::filesystem::path(kSourceFolder) / name;
  }

 private:
  mutable std::atomic<pid_t> running_ = 0;

  [[noreturn]] void start(const std::string& program, const std::vector<std::string>& arguments) const {
    std::vector<char*> raw = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
    ::dup2(::open(path(".stdout").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(path(".stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    if (::chdir(path("").c_str()) == 0) ::execvp(raw[0], raw.data());
    ::_exit(127);
  }
};

}  // namespace greybox::test
