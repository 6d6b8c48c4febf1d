// Whatever a disk refuses, and wherever a process is killed, nothing that was there is lost, and the work
// continues.
#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "apps/trained_run.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

class FailingDisk : public TrainedRun {
 protected:
  static constexpr const char* kEpochs = "5";

  // The number of calls depends a little on how quick the machine is.
  static constexpr long kSpare = 4;

  // With the call number `at` on files of `folder` failing with `error`, or killing the process when that is
  // 0.
  ToolResult disturbed(const std::vector<std::string>& arguments, const std::string& folder, long at,
                       int error) {
    const std::vector<std::pair<const char*, std::string>> variables = {
        {"FAIL_AT", std::to_string(at)},
        {"FAIL_WITH", std::to_string(error)},
        {"FAIL_IN", path(folder).string()},
        {"FAIL_COUNT", path("count").string()},
        {"LD_PRELOAD", kFailingDisk}};
    for (const auto& [name, value] : variables) ::setenv(name, value.c_str(), 1);
    ToolResult result = greybox(arguments);
    for (const auto& [name, value] : variables) ::unsetenv(name);
    return result;
  }

  long n_calls(const std::vector<std::string>& arguments, const std::string& folder, int error = EIO) {
    EXPECT_EQ(disturbed(arguments, folder, 0, error).exit_code, 0);
    long n = 0;
    std::ifstream(path("count")) >> n;
    return n;
  }

  void write_toy() const {
    write("toy.toml", bytes_of(source("examples/toy.toml")));
    std::filesystem::copy_file(source("examples/toy.csv"), path("toy.csv"),
                               std::filesystem::copy_options::overwrite_existing);
  }

  std::vector<std::string> training(const std::string& folder, const char* how = "--overwrite") const {
    return {"train", "toy.toml", "-o", folder, "--epochs", kEpochs, "--threads", "1", how};
  }
};

TEST_F(FailingDisk, AnErrorOfAnyCallIsToldAndTheTrainingContinuesToTheSameBits) {
  write_toy();
  ASSERT_EQ(greybox(training("calm")).exit_code, 0);
  const std::string weights = bytes_of(path("calm/weights.npz"));
  const long n = n_calls(training("run"), "run");
  ASSERT_GT(n, 10);
  long first = 1;
  for (const int error : {ENOSPC, EIO, ESTALE})
    for (long at = first++; at <= n; at += 3) {
      std::filesystem::remove_all(path("run"));
      const ToolResult result = disturbed(training("run"), "run", at, error);
      if (result.exit_code == 0 && at + kSpare > n) continue;  // rows may be written in fewer pieces
      EXPECT_EQ(result.exit_code, 1) << "call " << at << '\n' << result.err;
      EXPECT_NE(result.err.find("error: cannot"), std::string::npos) << "call " << at << '\n' << result.err;
      const bool is_run = std::filesystem::exists(path("run/run.json"));
      EXPECT_EQ(greybox(training("run", is_run ? "--resume" : "--overwrite")).exit_code, 0) << "call " << at;
      EXPECT_EQ(bytes_of(path("run/weights.npz")), weights) << "call " << at;
    }
}

TEST_F(FailingDisk, AKillAtAnyCallLeavesWhatCanBeContinued) {
  write_toy();
  ASSERT_EQ(greybox(training("calm")).exit_code, 0);
  const std::string weights = bytes_of(path("calm/weights.npz"));
  const long n = n_calls(training("run"), "run", 0);
  for (long at = 1; at <= n; ++at) {
    std::filesystem::remove_all(path("run"));
    const int exit_code = disturbed(training("run"), "run", at, 0).exit_code;
    if (exit_code == 0 && at + kSpare > n) continue;
    EXPECT_EQ(exit_code, -1) << "call " << at;
    const bool is_run = std::filesystem::exists(path("run/run.json"));
    EXPECT_EQ(greybox(training("run", is_run ? "--resume" : "--overwrite")).exit_code, 0) << "call " << at;
    EXPECT_EQ(bytes_of(path("run/weights.npz")), weights) << "call " << at;
    for (const auto& entry : std::filesystem::directory_iterator(path("run")))
      EXPECT_FALSE(entry.path().string().ends_with(".greybox-tmp")) << entry.path();
  }
}

// The files of a landscape are those of one call, whatever happens to the next one.
TEST_F(FailingDisk, ALandscapeIsReplacedAsAWhole) {
  train_toy();
  const std::vector<std::string> first = {"landscape", "run", "--vary", "a=0:1:3", "--no-verdicts"},
                                 second = {"landscape", "run", "--vary", "a=0:1:5", "--no-verdicts"};
  ASSERT_EQ(greybox(first).exit_code, 0);
  const std::string csv = bytes_of(path("run/landscape/landscape.csv")),
                    json = bytes_of(path("run/landscape/landscape.json"));
  const long n = n_calls(second, "run/landscape");
  ASSERT_EQ(greybox(first).exit_code, 0);
  for (long at = 1; at + 9 < n; at += 2) {  // what comes last are the moves
    EXPECT_EQ(disturbed(second, "run/landscape", at, ENOSPC).exit_code, 1) << "call " << at;
    EXPECT_EQ(bytes_of(path("run/landscape/landscape.csv")), csv) << "call " << at;
    EXPECT_EQ(bytes_of(path("run/landscape/landscape.json")), json) << "call " << at;
  }
}

}  // namespace
}  // namespace greybox::test
