// Jobs of an array, each with its part, and what becomes of them together.
#include <gtest/gtest.h>

#include <fstream>

#include "analysis/trained_toy.hpp"
#include "cases/golden_cases.hpp"
#include "core/atomic_file.hpp"
#include "greybox/compare.hpp"
#include "greybox/landscape.hpp"
#include "greybox/shard.hpp"
#include "train/shard_folder.hpp"

namespace greybox::test {
namespace {

class Shards : public TrainedToy {
 protected:
  Shards() { model("epochs = 5\nbatch = 10\nrate = 1e-2"); }

  Comparison compared(const std::string& folder, const Shard& shard = {}) const {
    return compare(Model::read(path("model.toml")), {.folder = path(folder),
                                                     .lambdas = {0.01, 0.1},
                                                     .trials = 3,
                                                     .regularizer = "normD",
                                                     .estimate = {.steps = 20},
                                                     .shard = shard,
                                                     .execution = {.n_threads = 1}});
  }
  void finish(const std::string& folder, const Shard& shard, const std::string& word = "compare") const {
    write_shard_record(path(folder), {shard, {word, "model.toml"}, path("")});
  }
  std::string refusal_of_merge(const std::string& folder) const {
    std::string text = refusal([&] { merge_shards(path(folder)); });
    const std::string here = path("").string();
    for (std::size_t at = text.find(here); at != text.npos; at = text.find(here)) text.erase(at, here.size());
    return text;
  }
};

TEST_F(Shards, CoverEveryTaskOnce) {
  for (std::size_t count : {1, 2, 3, 7})
    for (std::size_t task = 0; task < 20; ++task) {
      std::size_t n = 0;
      for (std::size_t index = 1; index <= count; ++index) n += Shard{index, count}.has(task) ? 1 : 0;
      EXPECT_EQ(n, 1U);
    }
}

TEST_F(Shards, OfAComparisonGiveWhatOneCallGives) {
  const std::string expected = to_json(compared("whole"));
  std::size_t n_trials = 0;
  for (std::size_t i = 1; i <= 4; ++i) {
    const Comparison part = compared("parts", {i, 4});
    EXPECT_EQ(part.n_missing, 0U);
    EXPECT_EQ(part.n_kept, 0U);
    for (const ComparedRow& row : part.rows) n_trials += row.trials;
    finish("parts", {i, 4});
  }
  EXPECT_EQ(n_trials, 18U);
  const MergedShards merged = merge_shards(path("parts"));
  EXPECT_EQ(merged.n_shards, 4U);
  EXPECT_EQ(merged.n_trials, 18U);
  EXPECT_EQ(merged.command, (std::vector<std::string>{"compare", "model.toml"}));
  EXPECT_EQ(merge_shards(path("parts")).n_trials, 0U);  // once more
  const Comparison joined = compared("parts");
  EXPECT_EQ(joined.n_kept, 18U);
  EXPECT_EQ(to_json(joined), expected);
}

TEST_F(Shards, RunAgainDoNothingTwice) {
  compared("parts", {2, 3});
  const std::string trials = read_text(path("parts/shards/2-of-3/trials.csv"));
  const Comparison again = compared("parts", {2, 3});
  EXPECT_EQ(again.n_kept, 6U);
  EXPECT_EQ(read_text(path("parts/shards/2-of-3/trials.csv")), trials);
}

TEST_F(Shards, MoreThanThereAreTrialsAreEmptyAndMerge) {
  for (std::size_t i = 1; i <= 20; ++i) {
    compared("parts", {i, 20});
    finish("parts", {i, 20});
  }
  EXPECT_EQ(merge_shards(path("parts")).n_trials, 18U);
}

TEST_F(Shards, OfALandscapeTrainTheNetworksOfOneCall) {
  const Run run = trained_as(path("model.toml"));
  std::size_t n = 0;
  for (std::size_t i = 1; i <= 2; ++i) {
    const LandscapeOptions options{.seeds = 4, .retrain = 2, .shard = {i, 2}, .execution = {.n_threads = 1}};
    n += train_networks(run, options).n_trainings;
    EXPECT_EQ(train_networks(run, options).n_kept, i == 1 ? 3U : 2U);
  }
  EXPECT_EQ(n, 5U);
  bool has_trained = false;
  landscape(run, {.vary = {{"a", 0, 2, 3}},
                  .seeds = 4,
                  .execution = {.n_threads = 1, .progress = [&](const ProgressReport& report) {
                                  has_trained = has_trained || report.stage == "training";
                                }}});
  EXPECT_FALSE(has_trained);
}

TEST_F(Shards, ThatAreMissingAreNamed) {
  EXPECT_EQ(
      refusal_of_merge("nowhere"),
      "nowhere: error: there are no shards here\n  help: give the folder that the jobs wrote to: that of "
      "the comparison or reproduction, or the run");
  for (std::size_t i : {1, 3}) finish("parts", {i, 4});
  std::filesystem::create_directories(path("parts/shards/2-of-4"));  // begun, and not finished
  EXPECT_EQ(refusal_of_merge("parts"),
            "parts: error: 2 of 4 shards are not finished: 2, 4\n  help: run these shards again (option "
            "`shard`); what they have done already is kept");
}

TEST_F(Shards, OfDifferentCommandsOrCountsAreRefused) {
  finish("parts", {1, 2});
  finish("parts", {2, 2}, "landscape");
  EXPECT_EQ(
      refusal_of_merge("parts"),
      "parts/shards/2-of-2: error: shard 2 is of `greybox landscape model.toml`, and shard 1 of `greybox "
      "compare model.toml`\n  help: run all shards with the same arguments");
  finish("parts", {1, 3});
  EXPECT_EQ(
      refusal_of_merge("parts"),
      "parts/shards: error: some shards are of 2, others of 3\n  help: remove the folders of those that "
      "are out of date");
}

TEST_F(Shards, DamagedAreRefusedWithTheirPlace) {
  for (std::size_t i : {1, 2}) {
    compared("parts", {i, 2});
    finish("parts", {i, 2});
  }
  const std::filesystem::path shard = path("parts/shards/2-of-2");
  struct Damage {
    std::string file, content, message;
  };
  const std::string trials = read_text(shard / "trials.csv");
  for (const Damage& damage :
       {Damage{"shard.json", R"({"command": [1], "directory": "x"})", "`command[0]` is not text"},
        {"shard.json", R"({"directory": "x"})", "`command` is missing"},
        {"shard.json", R"({"command": [], "directory": "x"})", "`command` is not a command"},
        {"shard.json", R"({"command": ["compare"], "directory": []})", "`directory` is not text"},
        {"compare.json", "[]", "this is not an object"},
        {"compare.json", R"({"model": 3})", "`model` is not an object"},
        {"trials.csv", trials.substr(0, trials.find('\n') + 1) + "adaptive,1e-2,x,0\n",
         "a row does not begin with mode, λ and number of a trial"}}) {
    const std::string before = read_text(shard / damage.file);
    write_file_atomically(shard / damage.file, damage.content);
    EXPECT_NE(refusal_of_merge("parts").find("2-of-2/" + damage.file + ": error: " + damage.message),
              std::string::npos)
        << refusal_of_merge("parts");
    write_file_atomically(shard / damage.file, before);
  }
  // As many shards as no array has: nobody goes through all of them.
  std::filesystem::create_directories(path("huge/shards/1-of-18446744073709551615"));
  EXPECT_NE(refusal_of_merge("huge").find("there are no shards here"), std::string::npos);
}

TEST_F(Shards, OfOtherDataAreRefused) {
  compared("parts", {1, 2});
  model("epochs = 6\nbatch = 10\nrate = 1e-2");
  compared("parts", {2, 2});
  for (std::size_t i : {1, 2}) finish("parts", {i, 2});
  EXPECT_EQ(refusal_of_merge("parts"),
            "parts/shards/2-of-2: error: its trials are of another model, other data or other options than "
            "those of shard 1\n  help: remove this folder, and run the shard again");
}

TEST_F(Shards, AreNotMergedIntoAnotherComparison) {
  compared("parts", {1, 2});
  compared("parts", {2, 2});
  for (std::size_t i : {1, 2}) finish("parts", {i, 2});
  model("epochs = 6\nbatch = 10\nrate = 1e-2");
  compared("parts");
  EXPECT_EQ(refusal_of_merge("parts"),
            "parts: error: it holds trials of another model, other data or other options than its shards\n  "
            "help: move those files elsewhere, or remove the shards");
}

}  // namespace
}  // namespace greybox::test
