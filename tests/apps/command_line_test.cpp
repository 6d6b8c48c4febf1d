// What holds for every command: help, version, wrong use.
#include "apps/run_tool.hpp"

namespace greybox::test {
namespace {

class CommandLine : public ToolTest {};

const std::vector<std::vector<std::string>> kCommands = {
    {"check"},
    {"train"},
    {"predict"},
    {"refit"},
    {"data"},
    {"data", "toy"},
    {"data", "reaction-diffusion"},
    {"data", "pendulum"},
    {"data", "predator-prey"},
};

TEST_F(CommandLine, TellsItsVersion) {
  EXPECT_EQ(expect_done({"--version"}).substr(0, 8), "greybox ");
}

TEST_F(CommandLine, HelpsWithEveryCommand) {
  const std::string overview = expect_done({"--help"});
  for (std::vector<std::string> command : kCommands) {
    EXPECT_NE(overview.find(command[0]), std::string::npos) << command[0];
    command.push_back("--help");
    EXPECT_NE(expect_done(command).find("Usage:"), std::string::npos) << command[0];
  }
}

TEST_F(CommandLine, RefusesWhatItDoesNotKnow) {
  expect_wrong_input({}, "subcommand");
  expect_wrong_input({"nonsense"}, "unknown command `nonsense`");
  expect_wrong_input({"--nonsense"}, "");
  expect_wrong_input({"train", "model.toml", "--seed", "-1"}, "--seed");
  expect_wrong_input({"predict", "run", "--theta", "a=1", "--threads", "-2"}, "--threads");
  expect_wrong_input({"data"}, "subcommand");
  expect_wrong_input({"data", "nonsense"}, "");
  for (std::vector<std::string> command : kCommands) {
    command.push_back("--nonsense");
    expect_wrong_input(command, "");
  }
}

TEST_F(CommandLine, RefusesCommandsWithoutTheirArguments) {
  for (const char* command : {"check", "train", "predict", "refit"})
    expect_wrong_input({command}, "required");
}

}  // namespace
}  // namespace greybox::test
