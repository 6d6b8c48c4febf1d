// Trainings through the library, in run folders that are sound, in use or changed.
#include "train/training.hpp"

#include "data/npz.hpp"
#include "greybox/run.hpp"
#include "train/run_folder.hpp"
#include "train/toy_training.hpp"

namespace greybox {
namespace {

using test::kTrain;
using Training = test::ToyTraining;

TEST_F(Training, LeavesAWholeRun) {
  std::vector<EpochReport> reports;
  TrainOptions request = options("run");
  request.execution.progress = [&](const ProgressReport& report) { reports.push_back(*report.epoch); };
  const Run run = train_toy(request);
  EXPECT_EQ(run.outcome(), TrainOutcome::finished);
  ASSERT_EQ(reports.size(), 5U);
  EXPECT_TRUE(std::isnan(reports[0].validation_loss));
  EXPECT_FALSE(std::isnan(reports[1].validation_loss));
  EXPECT_FALSE(std::isnan(reports[4].validation_loss));  // the last epoch is validated too
  EXPECT_EQ(reports[4].loss, run.record()->loss);
  EXPECT_EQ(bytes_of(path("run/model.toml")), bytes_of(path("model.toml")));
  for (const auto& [name, array] : read_npz(path("run/weights.npz"))) {
    EXPECT_TRUE(std::holds_alternative<std::vector<float>>(array.values)) << name;
    EXPECT_NE(name, "theta");
  }
  const RunRecord record = read_record(path("run"));
  EXPECT_TRUE(record.is_finished());
  EXPECT_EQ(record.data.file, path("data.csv"));
  EXPECT_EQ(record.ledger.front().split, "train");
}

TEST_F(Training, EstimatedThetaIsWrittenWithTheWeights) {
  TrainOptions request = options("run");
  request.mode = TrainMode::inductive;
  request.single_precision = false;
  const Theta theta = train_toy(request).record()->theta;
  const std::vector<NamedArray> arrays = read_npz(path("run/weights.npz"));
  ASSERT_EQ(arrays.back().first, "theta");
  EXPECT_EQ(arrays.back().second.to_doubles(), (std::vector<double>{theta.at("a"), theta.at("c")}));
}

TEST_F(Training, ResumesToTheSameBits) {
  for (TrainMode mode :
       {TrainMode::adaptive, TrainMode::inductive, TrainMode::transductive, TrainMode::aphynity}) {
    TrainOptions whole = options("whole-" + to_string(mode)), parts = options("parts-" + to_string(mode));
    whole.mode = parts.mode = mode;
    train_toy(whole);
    const Run interrupted = interrupt(parts, 3);
    EXPECT_EQ(interrupted.outcome(), TrainOutcome::interrupted);
    EXPECT_NE(interrupted.message().find("option `resume`"), std::string::npos);
    parts.resume = true;
    EXPECT_EQ(train_toy(parts).outcome(), TrainOutcome::finished);
    for (const char* file : {"weights.npz", "curves.csv"})
      EXPECT_EQ(bytes_of(parts.folder / file), bytes_of(whole.folder / file))
          << to_string(mode) << ' ' << file;
  }
}

TEST_F(Training, ResumingAFinishedRunSaysSo) {
  train_toy(options("run"));
  TrainOptions again = options("run");
  again.resume = true;
  const auto before = contents("run");
  EXPECT_NE(train_toy(again).message().find("is finished"), std::string::npos);
  EXPECT_EQ(contents("run"), before);
}

TEST_F(Training, DoesNotReplaceARunUnasked) {
  train_toy(options("done"));
  expect_untouched("done", options("done"), path("done"), "a finished run");
  interrupt(options("begun"), 2);
  expect_untouched("begun", options("begun"), path("begun"), "not finished");
  TrainOptions anew = options("begun");
  anew.overwrite = true;
  EXPECT_EQ(train_toy(anew).record()->epochs_done, 5U);
  EXPECT_EQ(bytes_of(path("begun/weights.npz")), bytes_of(path("done/weights.npz")));
}

TEST_F(Training, RefusesToResumeWithAChangedModelOrData) {
  interrupt(options("run"), 2);
  TrainOptions resume = options("run");
  resume.resume = true;
  model(std::string(kTrain) + "\ndraws = 2");
  expect_untouched("run", resume, path("model.toml"), "the model changed");
  model(kTrain);
  write("data.csv", test::toy_data(61));
  expect_untouched("run", resume, path("data.csv"), "the data changed");
  write("data.csv", test::toy_data());
  EXPECT_EQ(train_toy(resume).outcome(), TrainOutcome::finished);
}

TEST_F(Training, RefusesToResumeWithOtherOptions) {
  TrainOptions first = options("run");
  first.lambda = 0.5;
  interrupt(first, 2);
  TrainOptions resume = options("run");
  resume.resume = true;
  resume.lambda = 0.25;
  const auto before = contents("run");
  test::expect_option_refused([&] { train_toy(resume); }, "lambda",
                              "0.25 contradicts the run, which was started with 0.5");
  EXPECT_EQ(contents("run"), before);
  resume.lambda.reset();
  train_toy(resume);
  EXPECT_EQ(read_record(path("run")).options.lambda, 0.5);
}

TEST_F(Training, RefusesForeignAndDamagedCheckpoints) {
  interrupt(options("run"), 2);
  TrainOptions other = options("other");
  other.seed = 1;
  interrupt(other, 2);
  TrainOptions resume = options("run");
  resume.resume = true;
  const std::string good = bytes_of(path("run/checkpoint.npz"));
  write("run/checkpoint.npz", bytes_of(path("other/checkpoint.npz")));
  expect_untouched("run", resume, path("run/checkpoint.npz"), "other options");
  write("run/checkpoint.npz", good.substr(0, good.size() / 2));
  expect_untouched("run", resume, path("run/checkpoint.npz"), "damaged");
}

TEST_F(Training, TheSecondOfTwoIsRefused) {
  interrupt(options("run"), 2);
  RunFolder first(path("run"));
  first.claim();
  TrainOptions second = options("run");
  second.resume = true;
  expect_untouched("run", second, path("run"), "another training");
}

TEST_F(Training, WrongOptionsMakeNoFolder) {
  TrainOptions request = options("run");
  request.lambda = -1;
  EXPECT_THROW(train_toy(request), InputError);
  request.lambda.reset();
  request.epochs = 0;
  EXPECT_THROW(train_toy(request), InputError);
  request.epochs.reset();
  request.regularizer = "mean(norm2(netwrk))";
  EXPECT_THROW(train_toy(request), InputError);
  request.regularizer = "";
  EXPECT_THROW(train_toy(request), InputError);  // nothing for lambda to weigh
  EXPECT_FALSE(std::filesystem::exists(path("run")));
}

TEST_F(Training, AMistakeDoesNotOverwrite) {
  train_toy(options("run"));
  const auto before = contents("run");
  write("data.csv", "x,y\n1,2\n");  // too little for the splits
  TrainOptions anew = options("run");
  anew.overwrite = true;
  EXPECT_THROW(train_toy(anew), InputError);
  EXPECT_EQ(contents("run"), before);
}

TEST_F(Training, ResumesWithTheDataItBeganWith) {
  std::filesystem::rename(path("data.csv"), path("elsewhere.csv"));
  interrupt(Table::read(path("elsewhere.csv")), options("run"), 2);
  TrainOptions resume = options("run");
  resume.resume = true;
  EXPECT_EQ(train_toy(resume).outcome(), TrainOutcome::finished);
  EXPECT_EQ(read_record(path("run")).data.file, path("elsewhere.csv"));
}

TEST_F(Training, TakesARegularizerAsAnExpression) {
  TrainOptions request = options("run");
  request.regularizer = "mean(norm2(network))";
  TrainOptions named = options("named");
  named.regularizer = "normD";
  EXPECT_EQ(train_toy(request).record()->regularizer, train_toy(named).record()->regularizer);
}

TEST_F(Training, DivergenceIsAnOutcomeWithWeights) {
  model("epochs = 50\nbatch = 8\nrate = 1e30\nclip_norm = inf\nclip_value = inf");
  const Run run = train_toy(options("run"));
  EXPECT_EQ(run.outcome(), TrainOutcome::diverged);
  EXPECT_NE(run.message().find("training diverged in epoch 1, step 2"), std::string::npos) << run.message();
  EXPECT_TRUE(std::filesystem::exists(path("run/weights.npz")));
  EXPECT_FALSE(read_record(path("run")).is_finished());
  TrainOptions again = options("run");
  again.resume = true;
  EXPECT_EQ(train_toy(again).message(), run.message());
}

TEST_F(Training, RefitFixesThetaAndRecordsIt) {
  const Run run = train_toy(options("run"));
  Theta theta = {{"a", 1}, {"c", 0.25}};
  const Run refitted = refit(run, theta, options("run-refit"));
  EXPECT_EQ(refitted.folder(), path("run-refit"));
  EXPECT_EQ(refitted.record()->theta, theta);
  EXPECT_EQ(refitted.record()->options.mode, TrainMode::refit);
  EXPECT_EQ(read_record(path("run-refit")).options.lambda, 0.01);
  EXPECT_EQ(read_npz(path("run-refit/weights.npz")).back().second.to_doubles(),
            (std::vector<double>{1, 0.25}));
  theta.erase("c");
  EXPECT_THROW(refit(run, theta), InputError);
}

TEST_F(Training, LedgerGrows) {
  train_toy(options("run"));
  append_to_ledger(path("run"), {{"landscape", "test", "landscape", "normD"}});
  const std::vector<LedgerEntry> ledger = read_record(path("run")).ledger;
  ASSERT_EQ(ledger.size(), 2U);
  EXPECT_EQ(ledger[1].command, "landscape");
  write("run/run.json", "{ \"ledger\": 3");
  test::expect_refused([&] { read_record(path("run")); }, path("run/run.json"), "", "not valid JSON");
}

}  // namespace
}  // namespace greybox
