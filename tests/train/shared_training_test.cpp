// One training on several processes: the bits of one, one folder, and one end.
#include "support/thread_ranks.hpp"
#include "train/run_folder.hpp"
#include "train/toy_training.hpp"

namespace greybox::test {
namespace {

class SharedTraining : public ToyTraining {
 protected:
  // Blocks of an algebraic model have 256 samples: three of them, one of which is smaller.
  SharedTraining() {
    write("data.csv", toy_data(1400));
    model("regularizer = \"centred\"\nlambda = 0.01\nepochs = 3\nbatch = 530\nvalidate_every = 1");
  }

  // All ranks train; what the first gets.
  Run train_on(std::size_t n_ranks, const TrainOptions& request,
               const std::function<void(std::size_t rank, Execution&)>& change = {}) const {
    std::optional<Run> first;
    ThreadRanks(n_ranks).run([&](Communicator& rank) {
      TrainOptions own = request;
      own.execution = {.n_threads = 1 + rank.rank() % 2, .communicator = &rank};
      if (change) change(rank.rank(), own.execution);
      const Run run = train_toy(own);
      if (rank.rank() == 0) first = run;
    });
    return *first;
  }

  void expect_alike(const std::filesystem::path& run, const std::filesystem::path& expected) const {
    for (const char* file : {"weights.npz", "curves.csv"})
      EXPECT_EQ(bytes_of(run / file), bytes_of(expected / file)) << run << ' ' << file;
    const RunRecord record = read_record(run), other = read_record(expected);
    EXPECT_EQ(record.fit.has_value(), other.fit.has_value());
    if (record.fit && other.fit) {
      EXPECT_EQ(record.fit->sentence, other.fit->sentence);
    }
  }
};

TEST_F(SharedTraining, HasTheSameBits) {
  for (TrainMode mode : {TrainMode::adaptive, TrainMode::transductive, TrainMode::aphynity}) {
    TrainOptions alone = options("alone-" + to_string(mode));
    alone.mode = mode;
    train_toy(alone);
    for (std::size_t n_ranks : {1, 2, 3, 5}) {
      TrainOptions shared = options("shared-" + to_string(mode) + std::to_string(n_ranks));
      shared.mode = mode;
      EXPECT_EQ(train_on(n_ranks, shared).outcome(), TrainOutcome::finished);
      expect_alike(shared.folder, alone.folder);
    }
  }
}

TEST_F(SharedTraining, OfRecipeAutoHasTheSameBits) {
  model("recipe = \"auto\"\nregularizer = \"centred\"\nlambda = 0.01\nepochs = 6\nbatch = 530");
  train_toy(options("alone"));
  train_on(3, options("shared"));
  expect_alike(path("shared"), path("alone"));
}

TEST_F(SharedTraining, EndsInAllRanksWhenOneIsCancelled) {
  train_toy(options("whole"));
  for (const std::size_t cancelled : {0, 2}) {
    TrainOptions parts = options("parts" + std::to_string(cancelled));
    std::atomic<bool> cancel = false;
    const Run run = train_on(4, parts, [&](std::size_t rank, Execution& execution) {
      if (rank == 0)
        execution.progress = [&](const ProgressReport& report) { cancel = report.epoch->epoch == 2; };
      if (rank == cancelled) execution.cancel = &cancel;
    });
    EXPECT_EQ(run.outcome(), TrainOutcome::interrupted);
    parts.resume = true;
    train_toy(parts);  // alone
    expect_alike(parts.folder, path("whole"));
  }
}

TEST_F(SharedTraining, ContinuesWhatOneProcessBegan) {
  train_toy(options("whole"));
  TrainOptions parts = options("parts");
  interrupt(parts, 1);
  parts.resume = true;
  train_on(3, parts);
  expect_alike(parts.folder, path("whole"));
  EXPECT_NE(train_on(2, parts).message().find("is finished"), std::string::npos);
}

TEST_F(SharedTraining, IsRefusedInAllRanksAlike) {
  train_toy(options("done"));
  std::atomic<int> n_refused = 0;
  ThreadRanks(3).run([&](Communicator& rank) {
    TrainOptions request = options("done");
    request.execution.communicator = &rank;
    try {
      train_toy(request);
    } catch (const InputError& error) {
      n_refused += error.diagnostics()[0].message.find("a finished run") != std::string::npos ? 1 : 0;
    }
  });
  EXPECT_EQ(n_refused, 3);
}

}  // namespace
}  // namespace greybox::test
