// Sessions of the toy, with nothing but memory around them.
#include "train/session.hpp"

#include "core/checksum.hpp"
#include "train/toy.hpp"

namespace greybox {
namespace {

class ToySession : public test::ToyFolder {
 protected:
  LoadedModel load(const std::string& more = "") const {
    return load_model(model(
        "regularizer = \"centred\"\nlambda = 0.01\nepochs = 6\nbatch = 5\nvalidate_every = 2\n" + more));
  }
  static SessionOptions options(const LoadedModel& loaded, TrainMode mode = TrainMode::inductive) {
    SessionOptions options{.trainer = {.mode = mode, .train = loaded.spec->train, .seed = 3}};
    options.identity = {sha256("model"), sha256("data"), sha256("options")};
    return options;
  }
  static std::vector<double> losses(const MemoryStore& store) {
    std::vector<double> losses;
    for (const EpochResult& row : store.curves()) losses.push_back(row.loss);
    return losses;
  }

  ThreadPool pool_{1};
};

TEST_F(ToySession, ReturnsWhatATrainingIsFor) {
  const LoadedModel loaded = load();
  std::vector<EpochReport> reports;
  SessionOptions request = options(loaded);
  request.on_epoch = [&](const EpochReport& report) { reports.push_back(report); };
  MemoryStore store;
  const TrainingResult result = make_session(loaded, request, pool_)->run(store);
  EXPECT_EQ(result.outcome, TrainOutcome::finished);
  EXPECT_EQ(to_sentence(result, loaded.spec->train), "");
  EXPECT_EQ(result.epochs_done, 6U);
  ASSERT_EQ(store.curves().size(), 6U);
  ASSERT_EQ(reports.size(), 6U);
  EXPECT_EQ(result.loss, store.curves().back().loss);
  EXPECT_EQ(result.regularizer, reports.back().regularizer);
  EXPECT_EQ(reports.back().seconds_left, 0);
  EXPECT_EQ(result.theta.size(), 2U);
  EXPECT_EQ(result.weights.size(), NetworkSet<double>(*loaded.model).n_weights());
  EXPECT_GT(result.seconds, 0);
  EXPECT_FALSE(result.divergence);
}

TEST_F(ToySession, ContinuesToTheSameBitsInEitherPrecision) {
  for (const char* precision : {"float", "double"}) {
    const LoadedModel loaded = load(std::string("precision = \"") + precision + '"');
    for (TrainMode mode : {TrainMode::adaptive, TrainMode::transductive, TrainMode::aphynity}) {
      MemoryStore whole, parts;
      const TrainingResult expected = make_session(loaded, options(loaded, mode), pool_)->run(whole);
      std::atomic<bool> cancel = false;
      SessionOptions request = options(loaded, mode);
      request.cancel = &cancel;
      request.on_epoch = [&](const EpochReport& report) { cancel = report.epoch == 3; };
      const TrainingResult first = make_session(loaded, request, pool_)->run(parts);
      EXPECT_EQ(first.outcome, TrainOutcome::interrupted);
      EXPECT_EQ(to_sentence(first, loaded.spec->train), "interrupted after 3 of 6 epochs");
      cancel = false;
      const auto second = make_session(loaded, request, pool_);
      second->resume(*parts.checkpoint());
      const TrainingResult result = second->run(parts);
      EXPECT_EQ(result.outcome, TrainOutcome::finished);
      EXPECT_EQ(result.weights, expected.weights) << precision << ' ' << to_string(mode);
      EXPECT_EQ(result.theta, expected.theta);
      EXPECT_EQ(losses(parts), losses(whole));
      EXPECT_GT(result.seconds, first.seconds);
    }
  }
}

// A session that went on after its last checkpoint and was killed.
TEST_F(ToySession, DropsRowsAfterTheCheckpoint) {
  const LoadedModel loaded = load();
  MemoryStore whole, parts;
  make_session(loaded, options(loaded), pool_)->run(whole);
  std::atomic<bool> cancel = false;
  SessionOptions request = options(loaded);
  request.cancel = &cancel;
  request.on_epoch = [&](const EpochReport& report) { cancel = report.epoch == 2; };
  make_session(loaded, request, pool_)->run(parts);
  parts.add(whole.curves()[2]);
  const auto session = make_session(loaded, options(loaded), pool_);
  session->resume(*parts.checkpoint());
  session->run(parts);
  EXPECT_EQ(losses(parts), losses(whole));
}

TEST_F(ToySession, RefusesCheckpointsThatAreNotItsOwn) {
  const LoadedModel loaded = load();
  MemoryStore store;
  make_session(loaded, options(loaded), pool_)->run(store);
  SessionOptions other = options(loaded);
  other.identity.data = sha256("other");
  const auto session = make_session(loaded, other, pool_);
  test::expect_refused([&] { session->resume(*store.checkpoint()); }, "", "", "other data");
}

// The share of test windows in a step is memory of its own, which another step would overrun.
TEST_F(ToySession, RefusesStepsBeyondTheEpoch) {
  const LoadedModel loaded = load();
  std::atomic<bool> cancel = false;
  SessionOptions request = options(loaded, TrainMode::transductive);
  request.cancel = &cancel;
  request.on_epoch = [&](const EpochReport& report) { cancel = report.epoch == 1; };
  MemoryStore store;
  make_session(loaded, request, pool_)->run(store);
  for (double step : {5.0, -1.0, 0.5, double{NAN}}) {
    Checkpoint checkpoint = *store.checkpoint();
    for (auto& [name, array] : checkpoint.arrays)
      if (name == "step") array.values = std::vector<double>{step};
    const auto session = make_session(loaded, request, pool_);
    test::expect_refused([&] { session->resume(checkpoint); }, "", "",
                         "the checkpoint is damaged: `step` is");
  }
}

TEST_F(ToySession, DivergenceIsAValueWithItsFacts) {
  const LoadedModel loaded = load("rate = 1e30\nclip_norm = inf\nclip_value = inf");
  MemoryStore store;
  const TrainingResult result = make_session(loaded, options(loaded), pool_)->run(store);
  EXPECT_EQ(result.outcome, TrainOutcome::diverged);
  ASSERT_TRUE(result.divergence);
  EXPECT_EQ(result.divergence->epoch, 1U);
  EXPECT_EQ(result.divergence->step, 2U);
  EXPECT_EQ(to_sentence(result, loaded.spec->train), to_sentence(*result.divergence));
  EXPECT_TRUE(store.checkpoint());
  // Where it stood, it diverges again.
  const auto again = make_session(loaded, options(loaded), pool_);
  again->resume(*store.checkpoint());
  EXPECT_EQ(to_sentence(again->run(store), loaded.spec->train), to_sentence(*result.divergence));
}

TEST_F(ToySession, SaysWhenItStoppedEarly) {
  const LoadedModel loaded = load("patience = 1\nrate = 0.5");
  SessionOptions request = options(loaded);
  request.trainer.train.epochs = 500;
  MemoryStore store;
  const TrainingResult result = make_session(loaded, request, pool_)->run(store);
  EXPECT_EQ(result.outcome, TrainOutcome::stopped_early);
  EXPECT_EQ(
      to_sentence(result, request.trainer.train),
      "stopped after epoch " + std::to_string(result.epochs_done) + ": 1 validation without improvement");
}

}  // namespace
}  // namespace greybox
