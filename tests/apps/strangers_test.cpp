// Files, streams and signals as they should not be: each gets a message, and nothing else is touched.
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "apps/trained_run.hpp"
#include "data/npz.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

class Strangers : public TrainedRun {
 protected:
  // A command of the shell in which $G is the program.
  ToolResult shell(const std::string& command) const {
    return run("sh", {"-c", std::string("G=") + kTool + "; " + command});
  }
  void write_toy() const {
    write("toy.toml", bytes_of(source("examples/toy.toml")));
    std::filesystem::copy_file(source("examples/toy.csv"), path("toy.csv"));
  }
};

TEST_F(Strangers, ClosedStreamsStayOutOfTheFiles) {
  write_toy();
  EXPECT_EQ(shell("$G train toy.toml -o run --epochs 30 <&- >&- 2>&-").exit_code, 0);
  EXPECT_EQ(bytes_of(path("run/curves.csv")).find("epoch 30"), std::string::npos);
  EXPECT_EQ(bytes_of(path("run/.lock")), "");
  EXPECT_EQ(shell("$G check nowhere.toml 2>&-").exit_code, 2);
  EXPECT_EQ(shell("$G check nowhere.toml 2>/dev/full").exit_code, 2);
}

TEST_F(Strangers, AResultThatDoesNotArriveIsAFailure) {
  write_toy();
  for (const char* arguments : {"check toy.toml --json", "check toy.toml", "--help", "--version"}) {
    const ToolResult result = shell(std::string("$G ") + arguments + " > /dev/full");
    EXPECT_EQ(result.exit_code, 1) << arguments;
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
  }
  // More than a buffer holds: it is the printing that fails.
  train_toy();
  const ToolResult result =
      shell("$G landscape run --vary a=0:2:40 --vary c=-1:1:40 --no-verdicts --json > /dev/full");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("standard output"), std::string::npos) << result.err;
}

TEST_F(Strangers, PathsThatAreNotUtf8AreRefusedBeforeAnythingIsWritten) {
  write_toy();
  const ToolResult result = greybox({"train", "toy.toml", "-o", "run\xff", "--epochs", "1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("not UTF-8"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(path("run\xff")));
  std::filesystem::create_directory(path("in\xff"));
  for (const char* name : {"toy.toml", "toy.csv"})
    std::filesystem::copy_file(path(name), path("in\xff") / name);
  const ToolResult inside = shell("cd in* && $G train toy.toml -o run --epochs 1");
  EXPECT_EQ(inside.exit_code, 2) << inside.err;
  EXPECT_NE(inside.err.find("not UTF-8"), std::string::npos) << inside.err;
  EXPECT_FALSE(std::filesystem::exists(path("in\xff/run")));
}

TEST_F(Strangers, APipeIsNoModelAndNoData) {
  write_toy();
  ASSERT_EQ(::mkfifo(path("pipe.csv").c_str(), 0600), 0);
  expect_wrong_input({"check", "pipe.csv"}, "a pipe or a device");
  expect_wrong_input({"train", "toy.toml", "--data", "pipe.csv"}, "a pipe or a device");
  std::filesystem::create_symlink("/dev/zero", path("zero.csv"));
  expect_wrong_input({"train", "toy.toml", "--data", "zero.csv"}, "a pipe or a device");
}

TEST_F(Strangers, NoTextSteersTheTerminal) {
  write_toy();
  std::string text = bytes_of(path("toy.toml"));
  write("escape.toml", "name = \"toy\\u001b[2J\"\n" + text.substr(text.find('\n') + 1));
  const ToolResult result = greybox({"check", "escape.toml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ((result.out + result.err).find('\x1b'), std::string::npos);
  write("key.toml", text + "\n[\"\\u001b[2J\"]\nx = 1\n");
  const ToolResult key = greybox({"check", "key.toml"});
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_EQ(key.err.find('\x1b'), std::string::npos) << key.err;
}

TEST_F(Strangers, WhenTheTerminalGoesAwayATrainingLeavesACheckpoint) {
  write_toy();
  std::thread hangup([&] {
    for (int i = 0; i < 600 && !std::filesystem::exists(path("run/curves.csv")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(running(), SIGHUP);
  });
  const ToolResult result = greybox({"train", "toy.toml", "-o", "run", "--epochs", "10000000"});
  hangup.join();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_TRUE(std::filesystem::exists(path("run/checkpoint.npz")));
}

TEST_F(Strangers, AFileThatBecomesTooLargeIsAnErrorWithItsSentence) {
  train_toy();
  const ToolResult result = shell("ulimit -f 8; $G report run --vary a=0:1:3");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("cannot write"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("File too large"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(path("run/report.html")));
}

TEST_F(Strangers, ARunFolderThatIsRemovedIsMissed) {
  write_toy();
  std::thread remover([&] {
    for (int i = 0; i < 600 && !std::filesystem::exists(path("run/curves.csv")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::filesystem::remove_all(path("run"));
  });
  const ToolResult result = greybox({"train", "toy.toml", "-o", "run", "--epochs", "20000"});
  remover.join();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("No such file"), std::string::npos) << result.err;
}

TEST_F(Strangers, FilesOfTheUserStayWhereATrainingWorks) {
  write_toy();
  write(".notes.tmp", "mine");
  EXPECT_EQ(greybox({"train", "toy.toml", "-o", ".", "--epochs", "2"}).exit_code, 0);
  EXPECT_EQ(bytes_of(path(".notes.tmp")), "mine");
}

TEST_F(Strangers, OtherJsonDoesNotReachAReport) {
  train_toy();
  write("secret.json", R"({"password": "swordfish", "parameters": []})");
  std::filesystem::create_directory(path("run/sample"));
  std::filesystem::create_symlink(path("secret.json"), path("run/sample/posterior.json"));
  write("run/estimates.json",
        R"([{"regularizer": "normD", "method": "grid", "on": "test", "theta": {"a": 1, "c": 0},
    "R": 1, "password": "swordfish"}])");
  EXPECT_EQ(greybox({"report", "run", "--vary", "a=0:1:3"}).exit_code, 0);
  EXPECT_EQ(bytes_of(path("run/report.html")).find("swordfish"), std::string::npos);
  write("run/estimates.json", R"([{"regularizer": 7}])");
  expect_wrong_input({"report", "run", "--vary", "a=0:1:3"}, "`[0].regularizer` is not text");
}

TEST_F(Strangers, CommandsAreNotedInNoOtherFile) {
  train_toy();
  const std::vector<std::string> estimate = {"estimate", "run", "--regularizer", "centred"};
  write("mine.txt", "swordfish\n");
  std::filesystem::create_symlink(path("mine.txt"), path("run/commands.txt"));
  EXPECT_EQ(greybox(estimate).exit_code, 0);
  EXPECT_EQ(bytes_of(path("mine.txt")), "swordfish\n");
  EXPECT_EQ(greybox({"report", "run", "--vary", "a=0:1:3"}).exit_code, 0);
  EXPECT_EQ(bytes_of(path("run/report.html")).find("swordfish"), std::string::npos);
  // Nobody reads the pipe, and nobody writes into it.
  std::filesystem::remove(path("run/commands.txt"));
  ASSERT_EQ(::mkfifo(path("run/commands.txt").c_str(), 0600), 0);
  EXPECT_EQ(shell("timeout 60 $G estimate run --regularizer centred").exit_code, 0);
  EXPECT_EQ(shell("timeout 60 $G report run --vary a=0:1:3").exit_code, 0);
}

TEST_F(Strangers, ARunFolderDoesNotSayWhereElseFilesGo) {
  train_toy();
  std::filesystem::create_directory(path("mine"));
  for (const char* name : {"landscape", "explain", "page"})
    std::filesystem::create_directory_symlink(path("mine"), path("run") / name);
  expect_wrong_input({"landscape", "run", "--vary", "a=0:1:3", "--no-verdicts"}, "a link to another place");
  expect_wrong_input({"explain", "run", "--theta", "a=1,c=0"}, "a link to another place");
  EXPECT_EQ(greybox({"landscape", "run", "--vary", "a=0:1:3", "-o", "out"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_empty(path("mine")));
}

TEST_F(Strangers, ANameOfAModelIsNoWayOutOfTheFolderOfRuns) {
  write_toy();
  std::string text = bytes_of(path("toy.toml"));
  write("toy.toml", "name = \"..\"\n" + text.substr(text.find("about")));
  EXPECT_EQ(greybox({"train", "toy.toml", "--epochs", "1"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("model.toml")));
  EXPECT_TRUE(std::filesystem::exists(path("runs/_.-adaptive-seed0/model.toml")));
}

TEST_F(Strangers, ShardsDoNotSayWhereElseFilesGo) {
  write_toy();
  const auto record = [&](const std::string& command) {
    write("part/shards/1-of-1/shard.json",
          "{\"command\": [" + command + "], \"directory\": \"" + path("").string() + "\"}");
  };
  std::filesystem::create_directories(path("part/shards/1-of-1"));
  record(R"("data", "toy", "-o", "made.csv")");
  const ToolResult other = greybox({"merge", "part"});
  EXPECT_EQ(other.exit_code, 2) << other.out;
  EXPECT_NE(other.err.find("`greybox data`, which has none"), std::string::npos) << other.err;
  EXPECT_FALSE(std::filesystem::exists(path("made.csv")));

  record(R"("compare", "toy.toml", "--trials", "1", "--epochs", "1", "--lambda", "1", "-o", "elsewhere")");
  const ToolResult outside = greybox({"merge", "part"});
  EXPECT_EQ(outside.exit_code, 2) << outside.out;
  EXPECT_NE(outside.err.find("outside the folder that is merged"), std::string::npos) << outside.err;
  EXPECT_FALSE(std::filesystem::exists(path("elsewhere")));
}

TEST_F(Strangers, LinksThatLeadToThemselvesHaveAMessage) {
  std::filesystem::create_directory(path("run"));
  std::filesystem::create_symlink(path("run/run.json"), path("run/run.json"));
  for (const char* command : {"report", "landscape"}) {
    const ToolResult result = greybox({command, "run"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.err.find("filesystem error"), std::string::npos) << result.err;
  }
}

TEST_F(Strangers, LinksAreReplacedAndNotWrittenThrough) {
  write_toy();
  write("mine.toml", "mine");
  std::filesystem::create_symlink(path("mine.toml"), path("made.toml"));
  EXPECT_EQ(greybox({"new", "toy.csv", "-o", "made.toml", "--force"}).exit_code, 0);
  EXPECT_EQ(bytes_of(path("mine.toml")), "mine");
  EXPECT_FALSE(std::filesystem::is_symlink(path("made.toml")));
}

// Draws of two parameters of which one has fewer: numpy's archive of a = [1, 2, 3] and c = [0].
TEST_F(Strangers, DrawsThatDoNotFitAreRefused) {
  train_toy();
  std::filesystem::create_directory(path("run/sample"));
  const std::vector<NamedArray> draws = {{"a", {{3}, std::vector<double>{1, 2, 3}}},
                                         {"c", {{1}, std::vector<double>{0}}}};
  write_npz(path("run/sample/posterior.npz"), draws);
  expect_wrong_input({"predict", "run", "--theta", "posterior", "-o", "out.npz"},
                     "do not have a number for every parameter");
}

// A page whose maps are not of the size of its axes is computed again.
TEST_F(Strangers, KeptMapsOfOtherSizesAreNotShown) {
  train_toy();
  ASSERT_EQ(greybox({"landscape", "run", "--vary", "a=0:1:3", "--vary", "c=-1:1:3"}).exit_code, 0);
  std::string kept = bytes_of(path("run/page/landscapes.json"));
  const std::size_t values = kept.find("\"values\":[");
  ASSERT_NE(values, std::string::npos);
  kept.insert(values + 10, "77777,");
  write("run/page/landscapes.json", kept);
  EXPECT_EQ(greybox({"report", "run"}).exit_code, 0);
  EXPECT_EQ(bytes_of(path("run/report.html")).find("77777,"), std::string::npos);
}

TEST_F(Strangers, ThreadsThatCannotBeHaveAMessage) {
  train_toy();
  for (const char* count : {"18446744073709551615", "100000"})
    expect_wrong_input({"estimate", "run", "--regularizer", "centred", "--threads", count},
                       "are more than 4096");
  const std::string none = "the system gives no further thread";
  expect_wrong_input({"estimate", "run", "--regularizer", "centred", "--threads", "4000", "--memory", "128M"},
                     none);
  expect_wrong_input(
      {"compare", "toy.toml", "--trials", "4000", "--lambda", "1", "--threads", "4000", "--memory", "128M"},
      none);
  expect_wrong_input({"explore", "run", "--no-open", "--memory", "100M"}, none);
}

TEST_F(Strangers, AnyNumberOfTermsCanBeAskedFor) {
  train_toy();
  const ToolResult result =
      greybox({"explain", "run", "--theta", "a=1,c=0", "--terms", "18446744073709551615"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

// R does not count here, and may be anything.
TEST_F(Strangers, ACurveOfWhatIsNoNumberIsRead) {
  write_toy();
  ASSERT_EQ(
      greybox({"train", "toy.toml", "-o", "run", "--epochs", "3", "--regularizer", "mean(log(-1 - x^2))"})
          .exit_code,
      0);
  const ToolResult result = greybox({"report", "run", "--vary", "a=0:1:3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Strangers, NothingTakesMoreMemoryThanTheLimit) {
  write_toy();
  std::string text = bytes_of(path("toy.toml"));
  const std::size_t hidden = text.find("hidden  = [");
  ASSERT_NE(hidden, std::string::npos);
  std::string huge = text;
  huge.replace(hidden, text.find(']', hidden) + 1 - hidden, "hidden = [100000, 100000]");
  write("huge.toml", huge);
  expect_wrong_input({"check", "huge.toml"}, "more than 1e+10 weights");
  huge.replace(hidden, huge.find(']', hidden) + 1 - hidden, "hidden = [10000, 10000]");
  write("large.toml", huge);
  expect_wrong_input({"train", "large.toml", "--memory", "256M", "--epochs", "1"},
                     "takes more memory than the limit");
  EXPECT_FALSE(std::filesystem::exists(path("runs")));
  expect_wrong_input({"check", "toy.toml", "--memory", "much"}, "not an amount of memory");
  expect_wrong_input({"check", "toy.toml", "--memory", "1K"}, "--memory");
}

TEST_F(Strangers, ATrainingThatIsLetBeginEndsWithinItsMemory) {
  write_toy();
  const std::string toy = bytes_of(path("toy.toml"));
  const auto changed = [&](const std::string& hidden, const std::string& recipe) {
    std::string text = toy;
    const std::size_t sizes = text.find("hidden  = [");
    text.replace(sizes, text.find(']', sizes) + 1 - sizes, hidden);
    text.replace(text.find("recipe = \"paper\""), 16, recipe);
    return text;
  };
  write("wide.toml", changed("hidden = [1000, 1000]", "recipe = \"paper\""));
  write("deep.toml", changed("hidden = [400, 400, 400]", "recipe = \"auto\""));
  for (const std::string model : {"wide.toml", "deep.toml"}) {
    // "a training of 20 epochs takes about 3 s and 120 MB on this machine"
    const std::string said = expect_done({"check", model});
    const std::size_t end = said.find(" MB on this machine"), begin = said.rfind(' ', end - 1);
    ASSERT_NE(end, std::string::npos) << said;
    const double megabytes = 1.02 * std::stod(said.substr(begin, end - begin));
    const std::string limit = std::to_string(static_cast<std::size_t>(megabytes * 1e6));
    const ToolResult result =
        greybox({"train", model, "-o", model + "-run", "--epochs", "2", "--memory", limit});
    EXPECT_EQ(result.exit_code, 0) << model << " in " << limit << '\n' << result.err;
  }
}

}  // namespace
}  // namespace greybox::test
