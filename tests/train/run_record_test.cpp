// run.json: everything comes back, and what is missing or of another type is named.
#include "train/run_record.hpp"

#include <cmath>

#include "data/scratch_folder.hpp"

namespace greybox {
namespace {

class RunRecordFile : public test::ScratchFolder {
 protected:
  // No field has its default value.
  static RunRecord whole_record() {
    RunRecord record;
    record.name = "toy";
    record.version = "9.8.7";
    record.compiler = "abacus 1";
    record.command = "greybox train";
    record.started = "2026-01-02T03:04:05Z";
    record.options = {.mode = TrainMode::aphynity,
                      .regularizer = "mean(norm2(network))",
                      .lambda = 0.1,
                      .epochs = 7,
                      .batch = 3,
                      .draws = 2,
                      .rate = {1e-2, 1.0 / 3},
                      .weight_decay = 0.2,
                      .clip_value = 0.5,
                      .clip_norm = 4,
                      .validate_every = 5,
                      .patience = 6,
                      .keep_best = true,
                      .single_precision = false,
                      .seed = 18446744073709551615U,
                      .theta = {{"a", 0.1}, {"c", -2}},
                      .aphynity = AphynityRecord{2, 3, 4}};
    record.model = {"model.toml", "abc"};
    record.data = {"data.csv", "def"};
    record.outcome = TrainOutcome::stopped_early;
    record.epochs_done = 6;
    record.seconds = 1.25;
    record.loss = 0.1;
    record.regularizer = 1.0 / 7;
    record.multiplier = 40.5;
    record.theta = {{"a", 1.0 / 3}};
    record.priors = {{"a", {{"mean", 0.5}, {"sd", 0.25}}}};
    record.amortised = AmortisedRecord{"normD", 3, 4, {1e-3, 1e-4}, 5, true, "from/here"};
    record.augmented = AugmentedRecord{"from/there", 400, 40, 6, {{"a", {0.3, 3}}}, {{"a", 1}}};
    record.ledger = {{"train", "train", "weights", "normD"}, {"landscape", "test", "landscape", ""}};
    return record;
  }
  RunRecord read_back(const RunRecord& record) const {
    write_record(path(""), record);
    return read_record(path(""));
  }
  // The record with one place changed; "a/b" is member b of a, and null removes it.
  void expect_refused(const std::string& place, const Json& value, const std::string& message) const {
    Json json = json_of(whole_record());
    const Json::json_pointer pointer("/" + place);
    if (value.is_null())
      json[pointer.parent_pointer()].erase(pointer.back());
    else
      json[pointer] = value;
    write("run.json", json.dump());
    test::expect_refused([&] { read_record(path("")); }, path("run.json"), "", message);
  }
};

TEST_F(RunRecordFile, EveryFieldComesBack) {
  const RunRecord record = whole_record(), back = read_back(record);
  EXPECT_EQ(json_of(back), json_of(record));
  // What the JSON itself may have lost.
  EXPECT_EQ(back.name, "toy");
  EXPECT_EQ(back.version, "9.8.7");
  EXPECT_EQ(back.compiler, "abacus 1");
  EXPECT_EQ(back.command, "greybox train");
  EXPECT_EQ(back.started, "2026-01-02T03:04:05Z");
  EXPECT_EQ(back.outcome, TrainOutcome::stopped_early);
  EXPECT_TRUE(back.is_finished());
  EXPECT_EQ(back.epochs_done, 6U);
  EXPECT_EQ(back.seconds, 1.25);
  EXPECT_EQ(back.loss, 0.1);
  EXPECT_EQ(back.regularizer, 1.0 / 7);
  EXPECT_EQ(back.multiplier, 40.5);
  EXPECT_EQ(back.theta, record.theta);
  EXPECT_EQ(back.priors, record.priors);
  EXPECT_EQ(back.model.file, "model.toml");
  EXPECT_EQ(back.data.sha256, "def");
}

TEST_F(RunRecordFile, EveryOptionComesBack) {
  const RunRecord record = whole_record();
  const RecordedOptions back = read_back(record).options;
  EXPECT_EQ(back.mode, TrainMode::aphynity);
  EXPECT_EQ(back.regularizer, record.options.regularizer);
  EXPECT_EQ(back.lambda, 0.1);
  EXPECT_EQ(back.epochs, 7U);
  EXPECT_EQ(back.batch, 3U);
  EXPECT_EQ(back.draws, 2U);
  EXPECT_EQ(back.rate, record.options.rate);
  EXPECT_EQ(back.weight_decay, 0.2);
  EXPECT_EQ(back.clip_value, 0.5);
  EXPECT_EQ(back.clip_norm, 4);
  EXPECT_EQ(back.validate_every, 5U);
  EXPECT_EQ(back.patience, 6U);
  EXPECT_TRUE(back.keep_best);
  EXPECT_FALSE(back.single_precision);
  EXPECT_EQ(back.seed, record.options.seed);
  EXPECT_EQ(back.theta, record.options.theta);
  ASSERT_TRUE(back.aphynity);
  EXPECT_EQ(back.aphynity->tau, 3);
  EXPECT_EQ(back.aphynity->every, 4U);
}

TEST_F(RunRecordFile, TrainingsOfEstimatorsComeBack) {
  const RunRecord back = read_back(whole_record());
  ASSERT_TRUE(back.amortised && back.augmented);
  EXPECT_EQ(back.amortised->regularizer, "normD");
  EXPECT_EQ(back.amortised->epochs, 3U);
  EXPECT_EQ(back.amortised->batch, 4U);
  EXPECT_EQ(back.amortised->rate, (std::pair{1e-3, 1e-4}));
  EXPECT_EQ(back.amortised->seed, 5U);
  EXPECT_TRUE(back.amortised->single_precision);
  EXPECT_EQ(back.amortised->from, "from/here");
  EXPECT_EQ(back.augmented->from, "from/there");
  EXPECT_EQ(back.augmented->windows, 400U);
  EXPECT_EQ(back.augmented->epochs, 40U);
  EXPECT_EQ(back.augmented->seed, 6U);
  EXPECT_EQ(back.augmented->theta.at("a"), (std::pair{0.3, 3.0}));
  EXPECT_EQ(back.augmented->at.at("a"), 1);
  ASSERT_EQ(back.ledger.size(), 2U);
  EXPECT_EQ(back.ledger[1].purpose, "landscape");
}

// JSON has neither of them.
TEST_F(RunRecordFile, InfinityAndNaNComeBack) {
  RunRecord record = whole_record();
  record.options.clip_value = record.options.clip_norm = std::numeric_limits<double>::infinity();
  record.options.lambda = record.loss = std::nan("");
  const RunRecord back = read_back(record);
  EXPECT_TRUE(std::isinf(back.options.clip_value));
  EXPECT_TRUE(std::isinf(back.options.clip_norm));
  EXPECT_TRUE(std::isnan(back.options.lambda));
  EXPECT_TRUE(std::isnan(back.loss));
}

TEST_F(RunRecordFile, ARunningTrainingHasNoResult) {
  RunRecord record = whole_record();
  record.outcome = TrainOutcome::running;
  const RunRecord back = read_back(record);
  EXPECT_FALSE(back.is_finished());
  EXPECT_TRUE(std::isnan(back.loss));
  EXPECT_TRUE(back.theta.empty());
}

TEST_F(RunRecordFile, NamesWhatIsMissing) {
  for (const char* place : {"name", "version", "options", "model", "data", "outcome", "ledger"})
    expect_refused(place, nullptr, "`" + std::string(place) + "` is missing");
  for (const char* name :
       {"mode", "regularizer", "lambda", "epochs", "batch", "draws", "rate", "weight_decay", "clip_value",
        "clip_norm", "validate_every", "patience", "keep_best", "precision", "seed", "theta"})
    expect_refused("options/" + std::string(name), nullptr, "`options." + std::string(name) + "` is missing");
  expect_refused("data/sha256", nullptr, "`data.sha256` is missing");
  expect_refused("amortised/rate", nullptr, "`amortised.rate` is missing");
  expect_refused("augmented/at", nullptr, "`augmented.at` is missing");
  expect_refused("ledger/1/split", nullptr, "`ledger[1].split` is missing");
}

TEST_F(RunRecordFile, NamesWhatHasAnotherType) {
  expect_refused("name", 3, "`name` is not text");
  expect_refused("options", 3, "`options` is not an object");
  expect_refused("options/epochs", -1, "`options.epochs` is not a whole number of 0 or more");
  expect_refused("options/epochs", 1e300, "`options.epochs` is not a whole number of 0 or more");
  expect_refused("options/lambda", "much", "`options.lambda` is not a number");
  expect_refused("options/clip_norm", "much", "`options.clip_norm` is not a number");
  expect_refused("options/rate", Json::array({1}), "`options.rate` is not a pair of numbers");
  expect_refused("options/theta", Json{{"a", "b"}}, "`options.theta.a` is not a number");
  expect_refused("options/precision", "half", "`options.precision` is not float or double");
  expect_refused("ledger", 3, "`ledger` is not a list");
  expect_refused("priors", Json{{"a", 3}}, "`priors.a` is not an object");
}

TEST_F(RunRecordFile, RefusesModesAndOutcomesItDoesNotKnow) {
  expect_refused("options/mode", "psychic", "`options.mode` is not known (`psychic`)");
  expect_refused("outcome", "bored", "`outcome` is not known (`bored`)");
  for (TrainMode mode : {TrainMode::adaptive, TrainMode::inductive, TrainMode::transductive, TrainMode::refit,
                         TrainMode::aphynity})
    EXPECT_EQ(train_mode(to_string(mode)), mode);
  test::expect_option_refused([] { train_mode("psychic"); }, "mode", "there is no mode `psychic`");
}

TEST_F(RunRecordFile, IsInAFolderOfARun) {
  EXPECT_FALSE(has_record(path("nowhere")));
  test::expect_refused([&] { read_record(path("nowhere")); }, path("nowhere/run.json"), "",
                       "there is no such file");
  test::expect_refused([&] { append_to_ledger(path("nowhere"), {}); }, path("nowhere/run.json"), "",
                       "there is no such file");
}

TEST_F(RunRecordFile, TheLedgerIsAppendedTo) {
  write_record(path(""), whole_record());
  const std::vector<LedgerEntry> ledger =
      append_to_ledger(path(""), {{"sample", "test", "distribution", "normD"}});
  ASSERT_EQ(ledger.size(), 3U);
  EXPECT_EQ(read_record(path("")).ledger.back().command, "sample");
}

}  // namespace
}  // namespace greybox
