// A run that is explored while it is being trained.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/explore/answers.hpp"
#include "analysis/explore/run_so_far.hpp"
#include "analysis/trained_toy.hpp"
#include "data/npz.hpp"
#include "greybox/predict.hpp"
#include "train/run_folder.hpp"

namespace greybox::test {
namespace {

class ExploredInTraining : public TrainedToy {
 protected:
  static constexpr std::size_t kInterruptedAfter = 30, kEpochs = 80;

  Model model_ = Model::read(model("epochs = 80\nbatch = 10\nrate = [1e-2, 1e-3]"));
  Newest newest_;
  std::uint64_t sequence_ = 0;

  // Interrupted after some epochs, or continued to the end.
  Run learn(bool is_resumed) {
    std::atomic<bool> cancel = false;
    const auto watch = [&](const ProgressReport& progress) {
      if (!is_resumed && progress.epoch && progress.epoch->epoch == kInterruptedAfter) cancel = true;
    };
    return train(model_, {.folder = path("run"),
                          .resume = is_resumed,
                          .execution = {.n_threads = 1, .progress = watch, .cancel = &cancel}});
  }
  Json asked(ExploreSession& session, const std::string& name, Json request) {
    request["client"] = "test";
    request["sequence"] = ++sequence_;
    Json last;
    answer(session, newest_, name, JsonValue(request, "request"), [&](const Json& line) {
      last = line;
      return true;
    });
    return last;
  }
  Json at_theta(ExploreSession& session) {
    return asked(session, "evaluate", {{"theta", {{"a", 1.2}, {"c", 0.4}}}});
  }
};

TEST_F(ExploredInTraining, AnswersWithTheLastCheckpoint) {
  learn(false);
  ExploreSession session(Run::open(path("run")), {.n_threads = 1});
  EXPECT_TRUE(std::isfinite(at_theta(session).at("L").get<double>()));
  const Json news = asked(session, "training", {{"curves", true}});
  EXPECT_EQ(news.at("epochs_so_far"), kInterruptedAfter);
  EXPECT_EQ(news.at("epoch"), kInterruptedAfter);
  EXPECT_EQ(news.at("epochs"), kEpochs);
  EXPECT_FALSE(news.at("is_running").get<bool>());
  EXPECT_TRUE(news.at("curves").contains("validation_L"));
  EXPECT_TRUE(has(session.model()->run.warnings.back(), "after 30 epochs"));
}

TEST_F(ExploredInTraining, TakesTheWeightsThatComeLater) {
  learn(false);
  ExploreSession session(Run::open(path("run")), {.n_threads = 1});
  const Json before = at_theta(session);
  const Run finished = learn(true);
  const Json news = asked(session, "training", Json::object());
  EXPECT_EQ(news.at("generation"), 1U);
  EXPECT_TRUE(news.at("epochs_so_far").is_null());
  EXPECT_FALSE(news.contains("curves"));
  const Prediction expected =
      predict(finished, {.theta = {{"a", 1.2}, {"c", 0.4}}, .on = Splits{{Split::validation}}});
  const double loss = at_theta(session).at("L");
  EXPECT_NE(loss, before.at("L").get<double>());
  EXPECT_NEAR(loss, expected.mse, 1e-9 * expected.mse);
  EXPECT_EQ(asked(session, "training", Json::object()).at("generation"), 1U) << "nothing has changed since";
}

TEST_F(ExploredInTraining, LooksStayInTheLedgerWhenTheExplorerIsClosedBeforeTheTrainingEnds) {
  learn(false);
  const auto looks_at = [&](const std::string& split) {
    std::size_t n = 0;
    const std::optional<RunRecord> record = Run::open(path("run")).record();
    for (const LedgerEntry& entry : record->ledger)
      n += entry.command == "explore" && entry.split == split ? 1 : 0;
    return n;
  };
  {
    ExploreSession session(Run::open(path("run")), {.n_threads = 1});
    at_theta(session);
    session.unlock_test();
  }
  const std::size_t n_validation = looks_at("validation");
  EXPECT_GT(n_validation, 0U);
  const Run finished = learn(true);
  EXPECT_EQ(looks_at("validation"), n_validation);
  EXPECT_EQ(looks_at("test"), n_validation);
  EXPECT_EQ(finished.record()->ledger.size(), Run::open(path("run")).record()->ledger.size());
  EXPECT_EQ(finished.record()->ledger.front().command, "train");
}

TEST_F(ExploredInTraining, SaysWhenTheFolderHoldsAnotherRun) {
  learn(false);
  ExploreSession session(Run::open(path("run")), {.n_threads = 1});
  const Json before = at_theta(session);
  model_ = Model::read(model("epochs = 40\nbatch = 5\nrate = [1e-2, 1e-3]"));
  train(model_, {.folder = path("run"), .overwrite = true, .execution = {.n_threads = 1}});
  const Json news = asked(session, "training", Json::object());
  EXPECT_TRUE(news.at("is_replaced").get<bool>());
  EXPECT_EQ(at_theta(session).at("L"), before.at("L")) << "what is shown stays what it was";
}

TEST_F(ExploredInTraining, ACheckpointWithAnImpossibleEpochIsRefused) {
  learn(false);
  for (double epoch : {-1.0, 1e300, std::nan("")}) {
    std::vector<NamedArray> arrays = read_npz(path("run/checkpoint.npz"));
    for (auto& [name, array] : arrays)
      if (name == "epoch") array.values = std::vector<double>{epoch};
    write_npz(path("run/checkpoint.npz"), arrays);
    EXPECT_THROW(run_so_far(Run::open(path("run"))), InputError) << epoch;
  }
}

TEST_F(ExploredInTraining, NothingIsThereBeforeTheFirstCheckpoint) {
  learn(false);
  std::filesystem::remove(path("run/checkpoint.npz"));
  EXPECT_TRUE(has(refusal([&] { ExploreSession(Run::open(path("run")), {.n_threads = 1}); }),
                  "the training has just begun"));
}

TEST_F(ExploredInTraining, AFolderIsBeingTrainedWhileItIsLocked) {
  learn(false);
  EXPECT_FALSE(is_being_trained(path("run")));
  RunFolder folder(path("run"));
  folder.claim();
  EXPECT_TRUE(is_being_trained(path("run")));
}

}  // namespace
}  // namespace greybox::test
