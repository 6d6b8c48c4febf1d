// Comparisons: the paper's story on the toy, and trials that survive interruption.
#include "greybox/compare.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/paths.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

constexpr const char* kTrain = "regularizer = \"centred\"\nepochs = 3\nbatch = 8";
constexpr double kSmall = 1e-3, kLarge = 1e-1;

const ComparedRow& row_of(const Comparison& report, const std::string& mode, double lambda) {
  for (const ComparedRow& row : report.rows)
    if (row.mode == mode && row.lambda == lambda) return row;
  throw std::out_of_range("no such row");
}

class Story : public test::ScratchFolder, public ::testing::WithParamInterface<std::uint64_t> {};

// Figure 3 of the paper, with fewer trials. Over many seeds, means of six trials lie around 0.14 ± 0.02
// (adaptive R, whatever λ) and 2.5 ± 1.2 (the others' R at the small λ), and all L around 0.017 ± 0.003.
TEST_P(Story, AdaptiveLearningNeedsNoTunedLambda) {
  CompareOptions options;
  options.folder = path("comparison");
  options.lambdas = {kSmall, kLarge};
  options.trials = 6;
  options.seed = GetParam();
  const Model toy = Model::read(std::filesystem::path(kSourceFolder) / "examples" / "toy.toml");
  const Comparison report = compare(toy, options);
  for (const ComparedRow& row : report.rows) {
    EXPECT_EQ(row.trials, 6U);
    EXPECT_GT(row.loss.mean, 0.008) << row.mode;  // the noise alone makes 0.01
    EXPECT_LT(row.loss.mean, 0.035) << row.mode;
  }
  const double adaptive = row_of(report, "adaptive", kSmall).regularizer.mean;
  const double adaptive_at_large = row_of(report, "adaptive", kLarge).regularizer.mean;
  EXPECT_LT(adaptive, 0.25);
  EXPECT_LT(std::abs(std::log(adaptive_at_large / adaptive)), std::log(1.6));
  for (const char* mode : {"inductive", "transductive"}) {
    EXPECT_GT(row_of(report, mode, kSmall).regularizer.mean, 4 * adaptive) << mode;
    EXPECT_LT(row_of(report, mode, kLarge).regularizer.mean, 0.5) << mode;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Story, ::testing::Values(0, 100, 200));

class Comparing : public test::ToyFolder {
 protected:
  Comparing() { model(kTrain); }

  CompareOptions options(const std::string& folder) const {
    CompareOptions result;
    result.folder = path(folder);
    result.lambdas = {0.01, 0.1};
    result.trials = 2;
    result.execution.n_threads = 1;
    return result;
  }

  // Of model.toml and data.csv as they are now.
  Comparison compared(const CompareOptions& request, const std::string& model_file = "model.toml") const {
    return compare(Model::read(path(model_file)), request);
  }
  std::string compared_json(const CompareOptions& request) const { return to_json(compared(request)); }

  // Ends after so many trials.
  Comparison interrupt(CompareOptions request, std::size_t n_trials) const {
    std::atomic<bool> cancel = false;
    request.execution.cancel = &cancel;
    request.execution.progress = [&](const ProgressReport& report) { cancel = report.n_done == n_trials; };
    return compared(request);
  }

  // Rows of trials.csv: cells after the first three by those.
  std::map<std::string, std::vector<std::string>> trials(const std::string& folder) const {
    std::map<std::string, std::vector<std::string>> rows;
    std::istringstream text(bytes_of(path(folder) / "trials.csv"));
    for (std::string line; std::getline(text, line);) {
      std::vector<std::string> cells;
      std::istringstream rest(line);
      for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
      rows[cells.at(0) + ' ' + cells.at(1) + ' ' + cells.at(2)] = {cells.begin() + 3, cells.end()};
    }
    return rows;
  }

  void expect_refused(const CompareOptions& request, const std::filesystem::path& file,
                      const std::string& message) const {
    const std::string before = bytes_of(request.folder / "trials.csv");
    test::expect_refused([&] { compared(request); }, file, "", message);
    EXPECT_EQ(bytes_of(request.folder / "trials.csv"), before);
  }
};

TEST_F(Comparing, GivesMeansAndStandardErrorsOfTheTrials) {
  CompareOptions request = options("whole");
  request.trials = 3;
  const Comparison report = compared(request);
  const auto rows = trials("whole");
  const auto value = [&](int trial, std::size_t cell) {
    return std::stod(rows.at("inductive 0.1 " + std::to_string(trial)).at(cell));
  };
  const ComparedRow& row = row_of(report, "inductive", 0.1);
  EXPECT_EQ(row.trials, 3U);
  const double mean = (value(0, 1) + value(1, 1) + value(2, 1)) / 3;
  EXPECT_NEAR(row.loss.mean, mean, 1e-12);
  double squares = 0;
  for (int trial = 0; trial < 3; ++trial) squares += std::pow(value(trial, 1) - mean, 2);
  EXPECT_NEAR(row.loss.standard_error, std::sqrt(squares / 2 / 3), 1e-12);
  EXPECT_NEAR(row.regularizer.mean, (value(0, 2) + value(1, 2) + value(2, 2)) / 3, 1e-12);
}

TEST_F(Comparing, TellsTheRowsInTheOrderAskedFor) {
  CompareOptions request = options("whole");
  request.modes = {TrainMode::transductive, TrainMode::adaptive};
  const auto json = nlohmann::json::parse(compared_json(request));
  ASSERT_EQ(json.size(), 1U);
  ASSERT_EQ(json["rows"].size(), 4U);
  EXPECT_EQ(json["rows"][0]["mode"], "transductive");
  EXPECT_EQ(json["rows"][1]["lambda"], 0.1);
  EXPECT_EQ(json["rows"][2]["mode"], "adaptive");
  EXPECT_EQ(json["rows"][3]["trials"], 2);
  for (const char* quantity : {"L", "R"}) {
    EXPECT_GT(json["rows"][3][quantity]["mean"], 0) << quantity;
    EXPECT_GT(json["rows"][3][quantity]["se"], 0) << quantity;
  }
}

TEST_F(Comparing, DoesNotDependOnThreads) {
  CompareOptions several = options("several");
  several.execution.n_threads = 3;
  EXPECT_EQ(compared_json(several), compared_json(options("one")));
}

TEST_F(Comparing, InMemoryGivesTheRowsOfAFolder) {
  CompareOptions in_memory = options("none");
  in_memory.folder.clear();
  const Comparison result =
      compare(Model::read(path("model.toml")), Table::read(path("data.csv")), in_memory);
  EXPECT_TRUE(result.folder.empty());
  EXPECT_EQ(result.n_kept, 0U);
  EXPECT_EQ(to_json(result), compared_json(options("folder")));
}

TEST_F(Comparing, ATrialIsAFunctionOfItsSeed) {
  compared(options("from-0"));
  CompareOptions later = options("from-1");
  later.seed = 1;
  compared(later);
  const auto first = trials("from-0"), second = trials("from-1");
  for (const std::string mode : {"adaptive", "inductive", "transductive"}) {
    EXPECT_EQ(first.at(mode + " 0.1 1"), second.at(mode + " 0.1 0")) << mode;
    EXPECT_NE(first.at(mode + " 0.1 0"), first.at(mode + " 0.1 1")) << mode;
  }
}

TEST_F(Comparing, SplitsAnewInEachTrial) {
  // What is not shuffled is the same in every trial.
  std::string text = test::toy_model(kTrain);
  text.replace(text.find("by = \"window\""), 13, "by = \"window\", shuffle = false");
  write("ordered.toml", text);
  EXPECT_NE(to_json(compared(options("ordered"), "ordered.toml")), compared_json(options("shuffled")));
}

TEST_F(Comparing, ContinuesToTheSameBits) {
  const Comparison whole = compared(options("whole"));
  const Comparison begun = interrupt(options("parts"), 5);
  EXPECT_EQ(begun.n_missing, 7U);
  std::size_t n_run = 0;
  CompareOptions rest = options("parts");
  rest.execution.progress = [&](const ProgressReport& report) { n_run = report.n_total; };
  const Comparison continued = compared(rest);
  EXPECT_EQ(n_run, 7U);
  EXPECT_EQ(continued.n_kept, 5U);
  EXPECT_EQ(continued.n_missing, 0U);
  EXPECT_EQ(to_json(continued), to_json(whole));
}

// A trial is the training of its seed in its mode, and what is measured on its own test windows.
TEST_F(Comparing, ATrialHasTheBitsOfATraining) {
  CompareOptions request = options("trials");
  request.modes = {TrainMode::inductive};
  request.lambdas = {0.1};
  request.trials = 1;
  compared(request);
  const Run run =
      train(Model::read(path("model.toml")),
            {.mode = TrainMode::inductive, .lambda = 0.1, .seed = 0, .execution = {.n_threads = 1}});
  const std::vector<std::string> trial = trials("trials").at("inductive 0.1 0");
  ASSERT_EQ(trial.size(), 8U);  // and three errors of y
  EXPECT_EQ(std::stod(trial[3]), run.record()->theta.at("a"));
  EXPECT_EQ(std::stod(trial[4]), run.record()->theta.at("c"));
}

TEST_F(Comparing, MoreCanBeAskedForLater) {
  CompareOptions request = options("grown");
  compared(request);
  request.lambdas.push_back(0.5);
  request.trials = 3;
  const Comparison grown = compared(request);
  EXPECT_EQ(grown.n_kept, 12U);
  CompareOptions at_once = request;
  at_once.folder = path("at-once");
  EXPECT_EQ(to_json(grown), compared_json(at_once));
}

TEST_F(Comparing, RunsATornRowAgain) {
  const std::string whole = compared_json(options("torn"));
  const std::string text = bytes_of(path("torn/trials.csv"));
  for (std::size_t n_bytes : {text.size() - 4, std::size_t{9}, std::size_t{0}}) {
    write("torn/trials.csv", text.substr(0, n_bytes));
    const Comparison again = compared(options("torn"));
    EXPECT_EQ(again.n_kept, n_bytes > 9 ? 11U : 0U);
    EXPECT_EQ(to_json(again), whole);
  }
}

TEST_F(Comparing, RefusesTrialsOfAnotherModelOrOtherData) {
  interrupt(options("begun"), 3);
  model(std::string(kTrain) + "\ndraws = 2");
  expect_refused(options("begun"), path("model.toml"), "the model changed");
  model(kTrain);
  write("data.csv", test::toy_data(61));
  expect_refused(options("begun"), path("data.csv"), "the data changed");
}

TEST_F(Comparing, RefusesTrialsOfOtherOptions) {
  interrupt(options("begun"), 3);
  CompareOptions request = options("begun");
  request.epochs = 4;
  expect_refused(request, path("begun"), "its trials were run with epochs = 3, and now it is 4");
  request.epochs.reset();
  request.regularizer = "normD";
  expect_refused(request, path("begun"), "regularizer = \"centred\"");
  request.regularizer.reset();
  request.seed = 5;
  expect_refused(request, path("begun"), "seed = 0");
}

TEST_F(Comparing, LeavesForeignFilesAlone) {
  std::filesystem::create_directories(path("mine"));
  write("mine/trials.csv", "my own");
  expect_refused(options("mine"), path("mine"), "trials.csv");
  write("file", "my own");
  test::expect_refused([&] { compared(options("file")); }, path("file"), "", "this is a file");
}

TEST_F(Comparing, SaysWhichLineOfTheTrialsIsWrong) {
  compared(options("edited"));
  write("edited/trials.csv", bytes_of(path("edited/trials.csv")) + "adaptive,0.5,oops,0,1,1,1,1,1,1,1\n");
  expect_refused(options("edited"), path("edited/trials.csv"),
                 "line 14 is not a trial: `oops` is not a number");
  write("edited/compare.json", "{\"model\": 3}");
  expect_refused(options("edited"), path("edited/compare.json"), "`model` is not");
}

TEST_F(Comparing, WrongOptionsMakeNoFolder) {
  CompareOptions request = options("none");
  request.trials = 0;
  EXPECT_THROW(compared(request), InputError);
  request = options("none");
  request.lambdas = {0.1, -1};
  EXPECT_THROW(compared(request), InputError);
  request = options("none");
  request.modes = {TrainMode::refit};
  EXPECT_THROW(compared(request), InputError);
  request = options("none");
  request.regularizer = "";
  EXPECT_THROW(compared(request), InputError);
  request.regularizer = "mean(norm2(netwrk))";
  EXPECT_THROW(compared(request), InputError);
  EXPECT_FALSE(std::filesystem::exists(path("none")));
}

TEST_F(Comparing, TakesARegularizerAsAnExpression) {
  CompareOptions request = options("expression"), named = options("named");
  request.regularizer = "mean(norm2(network))";
  named.regularizer = "normD";
  EXPECT_EQ(compared_json(request), compared_json(named));
}

TEST_F(Comparing, AphynityHasNoLambdaAndOneRow) {
  CompareOptions request = options("aphynity");
  request.modes = {TrainMode::inductive, TrainMode::aphynity};
  const Comparison first = compared(request), again = compared(request);
  ASSERT_EQ(first.rows.size(), 3U);
  EXPECT_EQ(first.rows[2].mode, "aphynity");
  EXPECT_FALSE(first.rows[2].lambda);
  EXPECT_EQ(first.rows[2].trials, 2U);
  EXPECT_GT(first.rows[2].loss.mean, 0);
  const auto rows = nlohmann::json::parse(to_json(first))["rows"];
  EXPECT_TRUE(rows[2]["lambda"].is_null());
  EXPECT_EQ(rows[1]["lambda"], 0.1);
  EXPECT_EQ(again.n_kept, 6U);  // read back from trials.csv
  EXPECT_EQ(to_json(again), to_json(first));
}

TEST_F(Comparing, DivergedTrialsDoNotCount) {
  model("regularizer = \"centred\"\nepochs = 50\nbatch = 8\nrate = 1e30\nclip_norm = inf\nclip_value = inf");
  CompareOptions request = options("diverged");
  request.modes = {TrainMode::inductive};
  for (std::size_t n_kept : {0U, 4U}) {  // a diverged trial is kept too
    const Comparison report = compared(request);
    EXPECT_EQ(report.n_kept, n_kept);
    EXPECT_EQ(report.n_missing, 0U);
    EXPECT_EQ(report.rows.at(0).trials, 0U);
    EXPECT_TRUE(std::isnan(report.rows.at(0).loss.mean));
    ASSERT_EQ(report.warnings.size(), 1U);
    EXPECT_NE(report.warnings[0].find("4 inductive trials diverged"), std::string::npos)
        << report.warnings[0];
    EXPECT_TRUE(nlohmann::json::parse(to_json(report))["rows"][0]["L"]["mean"].is_null());
  }
}

}  // namespace
}  // namespace greybox
