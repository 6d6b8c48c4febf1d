// `greybox landscape` as a user meets it, from training to mistakes.
#include <csignal>
#include <cstdlib>
#include <thread>

#include "apps/run_tool.hpp"
#include "train/toy.hpp"

namespace greybox::test {
namespace {

class LandscapeCommand : public ToolTest {
 protected:
  LandscapeCommand() {
    write("data.csv", toy_data());
    write("model.toml", toy_model("epochs = 300\nbatch = 10\nrate = [1e-2, 1e-4]"));
  }
  // Whatever is warned of: few windows may be fitted badly here and there.
  nlohmann::json told(const std::vector<std::string>& arguments) const {
    const ToolResult result = greybox(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  }
  void train_model() const { ASSERT_EQ(greybox({"train", "model.toml", "-o", "run"}).exit_code, 0); }
};

TEST_F(LandscapeCommand, AndEstimateUseNoDataTwiceByDefault) {
  train_model();
  const auto seen = told({"landscape", "run", "--json"});
  EXPECT_EQ(seen["landscapes"][0]["split"], "validation");
  const auto estimated = told({"estimate", "run", "--regularizer", "normD", "--json"});
  EXPECT_EQ(estimated["on"], "test");
  EXPECT_EQ(estimated["warnings"].dump().find("used twice"), std::string::npos);

  told({"landscape", "run", "--split", "test", "--json"});
  const ToolResult again = greybox({"estimate", "run", "--regularizer", "normD"});
  EXPECT_NE(again.err.find("used twice"), std::string::npos) << again.err;
}

TEST_F(LandscapeCommand, WritesItsJsonBesideThePictures) {
  train_model();
  const auto told = expect_json({"landscape", "run", "--vary", "a=0:2:5", "--json"});
  const auto kept = nlohmann::json::parse(bytes_of(path("run/landscape/landscape.json")));
  EXPECT_EQ(kept["landscapes"], told["landscapes"]);
  EXPECT_EQ(told["files"].size(), 5U);
  for (const auto& file : told["files"])
    EXPECT_TRUE(std::filesystem::exists(path(file.get<std::string>()))) << file;
}

TEST_F(LandscapeCommand, GivesBandsViewsAndSingleWindows) {
  train_model();
  const auto bands = told({"landscape", "run", "--seeds", "3", "--vary", "a=0:2:5", "--json"});
  EXPECT_EQ(bands["landscapes"][0]["seeds"], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(bands["landscapes"][0]["regularizers"]["normD"]["networks"].size(), 3U);
  const auto joined =
      told({"landscape", "run", "--with", "run/seeds/1", "run/seeds/2", "--vary", "a=0:2:5", "--json"});
  EXPECT_EQ(joined["landscapes"][0]["regularizers"], bands["landscapes"][0]["regularizers"]);
  const auto view = told({"landscape", "run", "--view", "random", "--seed", "4", "--sample", "3", "--json"});
  EXPECT_EQ(view["landscapes"][0]["view"]["directions"].size(), 2U);
  const auto window = told({"landscape", "run", "--window", "3", "--vary", "a=0:2:5", "--json"});
  EXPECT_EQ(window["landscapes"][0]["windows"], 1);
  const auto checked = told({"landscape", "run", "--retrain", "2", "--vary", "a=0:2:5", "--json"});
  EXPECT_EQ(checked["retrained"].size(), 2U);
  EXPECT_TRUE(checked["retrained"][0]["regularizers"]["normD"]["within"].is_null());  // one network: no band
}

TEST_F(LandscapeCommand, IsContinuedAfterAnInterruption) {
  write("model.toml", toy_model("epochs = 4000\nbatch = 1"));
  ASSERT_EQ(greybox({"train", "model.toml", "-o", "run", "--epochs", "4000", "--seed", "3"}).exit_code, 0);
  const std::vector<std::string> command = {"landscape", "run", "--seeds", "3", "--vary", "a=0:2:5"};
  std::atomic<bool> has_ended = false;
  std::thread interrupter([&] {
    // Once the first further training has begun, and surely before both are done.
    while (!has_ended && !std::filesystem::exists(path("run/seeds/4/run.json"))) std::this_thread::yield();
    if (!has_ended) ::kill(running(), SIGINT);
  });
  const ToolResult result = greybox(command);
  has_ended = true;
  interrupter.join();
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_NE(result.err.find("the same command continues"), std::string::npos) << result.err;
  EXPECT_EQ(greybox(command).exit_code, 0);
}

TEST_F(LandscapeCommand, RefusesMistakesWithASentence) {
  train_model();
  expect_wrong_input({"landscape", "run", "--regularizer", "normd"}, "did you mean `normD`?");
  expect_wrong_input({"landscape", "run", "--vary", "a=0:3"}, "outside its bounds");
  expect_wrong_input({"landscape", "run", "--vary", "a", "--at", "c=7"}, "the model file allows");
  expect_wrong_input({"landscape", "run", "--at", "estimator", "--vary", "a"}, "the model has no estimator");
  expect_wrong_input({"landscape", "run", "--window", "99"}, "counted from 0 to 59");
  expect_wrong_input({"landscape", "run", "--view", "side"}, "the views are");
  expect_wrong_input({"landscape", "run", "--seeds", "-1"}, "is negative");
  expect_wrong_input({"landscape", "nowhere"}, "not a run folder");
}

TEST_F(LandscapeCommand, RefusesAnEmptySplit) {
  const std::string split = "train = 0.4, validation = 0.3, test = 0.3";
  std::string text = toy_model("epochs = 2");
  write("model.toml", text.replace(text.find(split), split.size(), "train = 0.6, test = 0.4"));
  train_model();
  expect_wrong_input({"landscape", "run", "--split", "validation"}, "there are no windows in `validation`");
}

TEST_F(LandscapeCommand, RefusesUnfinishedRunsAndThoseOfOtherVersions) {
  train_model();
  auto record = nlohmann::json::parse(bytes_of(path("run/run.json")));
  record["finished"] = false;
  write("run/run.json", record.dump());
  expect_wrong_input({"landscape", "run"}, "the run did not finish");
  record["finished"] = true;
  record["version"] = "9.7.0";
  write("run/run.json", record.dump());
  expect_wrong_input({"landscape", "run"}, "made by greybox 9.7.0");
}

TEST_F(LandscapeCommand, KeepsAnotherLandscapeBesideTheNewOne) {
  train_model();
  const std::vector<std::string> first = {"landscape", "run", "--vary", "a=0:2:5", "--no-verdicts"};
  EXPECT_EQ(greybox(first).exit_code, 0);
  const std::string before = bytes_of(path("run/landscape/landscape.csv"));
  EXPECT_EQ(greybox(first).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("run/landscape-1"))) << "the same landscape is made anew";
  const ToolResult other = greybox({"landscape", "run", "--vary", "a=0:2:7", "--no-verdicts"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_NE(other.err.find("is now in run/landscape-1"), std::string::npos) << other.err;
  EXPECT_EQ(bytes_of(path("run/landscape-1/landscape.csv")), before);
  EXPECT_NE(bytes_of(path("run/landscape/landscape.csv")), before);
}

TEST_F(LandscapeCommand, IsWhatTheReportShows) {
  train_model();
  EXPECT_EQ(greybox({"landscape", "run", "--vary", "a=0:2:7", "--vary", "c=-3:3:6"}).exit_code, 0);
  const ToolResult report = greybox({"report", "run", "--json"});
  EXPECT_EQ(report.exit_code, 0) << report.err;
  const auto said = nlohmann::json::parse(report.out);
  const auto kept = nlohmann::json::parse(bytes_of(path("run/landscape/landscape.json")));
  EXPECT_EQ(said["summary"], kept["summary"]);
  EXPECT_EQ(said["verdicts"].size(), kept["verdicts"].size());
  const std::string page = bytes_of(path("run/report.html"));
  EXPECT_NE(page.find("\"values\":[-3.0,-1.8"), std::string::npos) << "its grid is that of the landscape";
  EXPECT_NE(said["provenance"]["commands"].dump().find("--vary a=0:2:7 --vary c=-3:3:6"), std::string::npos);
  EXPECT_NE(said["cite"]["bibtex"].get<std::string>().find("@software"), std::string::npos);
}

TEST_F(LandscapeCommand, AReportIsOpened) {
  train_model();
  write("xdg-open", "#!/bin/sh\necho \"$1\" > opened\n");
  std::filesystem::permissions(path("xdg-open"), std::filesystem::perms::owner_all);
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (path("").string() + ":" + before).c_str(), 1);
  const ToolResult report = greybox({"report", "run", "--vary", "a=0:2:3", "--open"});
  ::setenv("PATH", before.c_str(), 1);
  EXPECT_EQ(report.exit_code, 0) << report.err;
  EXPECT_NE(bytes_of(path("opened")).find("run/report.html"), std::string::npos);
}

}  // namespace
}  // namespace greybox::test
