// What holds for every command: help, version, wrong use.
#include <fmt/format.h>

#include <sstream>

#include "apps/run_tool.hpp"
#include "terminal.hpp"

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
  expect_wrong_input({"nonsense"}, "unknown command `nonsense`");
  expect_wrong_input({"--nonsense"}, "`greybox` has no flag `--nonsense`");
  expect_wrong_input({"train", "model.toml", "--seed", "-1"}, "--seed");
  expect_wrong_input({"predict", "run", "--theta", "a=1", "--threads", "-2"}, "--threads");
  expect_wrong_input({"data", "nonsense"}, "unknown command `nonsense`");
  for (std::vector<std::string> command : kCommands) {
    command.push_back("--nonsense");
    expect_wrong_input(command, "");
  }
}

TEST_F(CommandLine, RefusesCommandsWithoutTheirArguments) {
  for (const char* command : {"check", "train", "predict", "refit"})
    expect_wrong_input({command}, fmt::format("`greybox {}` needs", command));
  expect_wrong_input({"landscape"}, "for instance: greybox landscape");
  expect_wrong_input({"estimate", "run"}, "`greybox estimate` needs --regularizer");
}

TEST_F(CommandLine, ExplainsWrongValues) {
  expect_wrong_input({"train", "model.toml", "--mode", "adaptiv"}, "--mode: `adaptiv` is none of adaptive");
  expect_wrong_input({"train", "model.toml", "--mode", "adaptiv"}, "did you mean `adaptive`?");
  expect_wrong_input({"completion", "pwsh"}, "`pwsh` is none of bash, fish, zsh");
  expect_wrong_input({"train", "model.toml", "--epochs", "x"}, "--epochs: `x` is no such number");
}

TEST_F(CommandLine, SuggestsWhatWasMeant) {
  expect_wrong_input({"trian", "model.toml"}, "did you mean `train`?");
  expect_wrong_input({"data", "pendulm"}, "did you mean `pendulum`?");
  expect_wrong_input({"train", "model.toml", "--epoch", "3"}, "did you mean `--epochs`?");
  expect_wrong_input({"train", "--epoch=3"}, "`greybox train` has no flag `--epoch`");
  expect_wrong_input({"check", "a.toml", "b.toml"}, "`greybox check` does not take `b.toml`");
}

TEST_F(CommandLine, ShowsHelpWhereACommandIsMissing) {
  EXPECT_EQ(expect_done({}), expect_done({"--help"}));
  EXPECT_EQ(expect_done({"data"}), expect_done({"data", "--help"}));
}

// Names of all commands below this one, each with what comes before it.
std::vector<std::vector<std::string>> commands_in(const std::string& completion) {
  std::vector<std::vector<std::string>> commands;
  const std::size_t begin = completion.find("in\n      /") + 9, end = completion.find(") command+=", begin);
  std::stringstream list(completion.substr(begin, end - begin));
  for (std::string path; std::getline(list, path, '|');) {
    std::stringstream words(path.substr(1));
    commands.emplace_back();
    for (std::string word; std::getline(words, word, '/');) commands.back().push_back(word);
  }
  return commands;
}

TEST_F(CommandLine, HelpIsWrappedInGroupsWithAnExample) {
  const auto commands = commands_in(expect_done({"completion", "bash"}));
  ASSERT_GE(commands.size(), 20U);
  for (std::vector<std::string> command : commands) {
    command.push_back("--help");
    const std::string help = expect_done(command);
    EXPECT_NE(help.find("\nExample"), std::string::npos) << command[0];
    std::stringstream lines(help);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(apps::n_characters(line), 80U) << command[0] << ": " << line;
    EXPECT_EQ(help.find("INT in ["), std::string::npos) << help;
  }
  const std::string sample = expect_done({"sample", "--help"});
  EXPECT_NE(sample.find("[default: 1000]"), std::string::npos) << sample;
  EXPECT_LT(sample.find("\nData:"), sample.find("\nOutput:")) << sample;
}

TEST_F(CommandLine, BashCompletesCommandsFlagsAndChoices) {
  write("complete.bash", expect_done({"completion", "bash"}) + R"(
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _greybox; echo "${COMPREPLY[@]}"; }
try greybox tra
try greybox data pen
try greybox train m.toml --ep
try greybox train m.toml --mode ad
try greybox train m.toml --data x
)");
  const ToolResult result = run("bash", {"complete.bash"});
  EXPECT_EQ(result.out, "train\npendulum\n--epochs\nadaptive\n\n") << result.err;
}

TEST_F(CommandLine, OtherShellsAndManHaveEveryFlag) {
  const std::string fish = expect_done({"completion", "fish"}), zsh = expect_done({"completion", "zsh"});
  EXPECT_NE(fish.find("__fish_seen_subcommand_from train' -l epochs"), std::string::npos) << fish;
  EXPECT_NE(zsh.find("'--epochs["), std::string::npos) << zsh;
  expect_done({"manual", "-o", "man"});
  const std::string page = bytes_of(path("man") / "greybox-train.1");
  EXPECT_NE(page.find("\\-\\-epochs N"), std::string::npos) << page;
  EXPECT_TRUE(std::filesystem::exists(path("man") / "greybox-data-toy.1"));
}

}  // namespace
}  // namespace greybox::test
