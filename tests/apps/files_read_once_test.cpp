// Every command reads each of its files once.
#include <cstdlib>
#include <fstream>
#include <map>

#include "apps/trained_run.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

class FilesReadOnce : public TrainedRun {
 protected:
  // How often the command opens each file of its folder to read it.
  std::map<std::string, int> opens_of(const std::vector<std::string>& arguments) {
    std::filesystem::remove(path("opens"));
    ::setenv("OPEN_LOG", path("opens").c_str(), 1);
    ::setenv("LD_PRELOAD", kOpenCount, 1);
    const ToolResult result = greybox(arguments);
    ::unsetenv("LD_PRELOAD");
    ::unsetenv("OPEN_LOG");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::map<std::string, int> counts;
    std::ifstream log(path("opens"));
    for (std::string line; std::getline(log, line);)
      ++counts[std::filesystem::path(line).filename().string()];
    return counts;
  }
};

TEST_F(FilesReadOnce, ByEveryCommandThatOpensARun) {
  train_toy();
  const std::vector<std::vector<std::string>> commands = {
      {"landscape", "run", "--vary", "a=0:1:5"},
      {"estimate", "run", "--regularizer", "normD"},
      {"sample", "run", "--regularizer", "normD", "--beta", "1", "--draws", "10"},
      {"predict", "run", "--theta", "a=1,c=0.2"},
      {"report", "run", "--vary", "a=0:1:5"}};
  for (const std::vector<std::string>& command : commands) {
    const std::map<std::string, int> counts = opens_of(command);
    const bool has_ledger = command[0] != "predict" && command[0] != "report";
    EXPECT_EQ(counts.at("toy.csv"), 1) << command[0];
    EXPECT_EQ(counts.at("model.toml"), 1) << command[0];
    EXPECT_EQ(counts.at("weights.npz"), 1) << command[0];
    // The ledger is appended to under its lock, as it is then.
    EXPECT_EQ(counts.at("run.json"), has_ledger ? 2 : 1) << command[0];
  }
}

}  // namespace
}  // namespace greybox::test
