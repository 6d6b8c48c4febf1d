// The same bits however trainings, trials, chains and starts are shared out over threads and processes.
#include <gtest/gtest.h>

#include "analysis/run/networks.hpp"
#include "analysis/trained_toy.hpp"
#include "greybox/compare.hpp"
#include "greybox/estimate.hpp"
#include "greybox/landscape.hpp"
#include "greybox/sample.hpp"
#include "support/thread_ranks.hpp"

namespace greybox::test {
namespace {

class SharedWork : public TrainedToy {
 protected:
  static constexpr const char* kShort = "epochs = 20\nbatch = 10\nrate = 1e-2";

  std::vector<std::vector<double>> weights_of_seeds(const Run& run, const Execution& execution) const {
    std::filesystem::remove_all(path("run/seeds"));
    return gather_networks(open_run(run), {.seeds = 5}, execution).weights;
  }

  // What rank 0 gets; every rank opens its own run.
  template <class F>
  static auto on_ranks(std::size_t n_ranks, F&& work) {
    decltype(work(Execution{})) first;
    ThreadRanks(n_ranks).run([&](Communicator& rank) {
      auto result = work(Execution{.n_threads = 1, .communicator = &rank});
      if (rank.rank() == 0) first = std::move(result);
    });
    return first;
  }
};

TEST_F(SharedWork, NetworksHaveTheSameBits) {
  const Run run = trained(kShort);
  const auto expected = weights_of_seeds(run, {.n_threads = 1});
  for (std::size_t n_threads : {2, 3, 4})
    EXPECT_EQ(weights_of_seeds(run, {.n_threads = n_threads}), expected) << n_threads << " threads";
  for (std::size_t n_ranks : {1, 2, 3, 5}) {
    std::filesystem::remove_all(path("run/seeds"));
    const auto weights = on_ranks(n_ranks, [&](const Execution& execution) {
      return gather_networks(open_run(Run::open(path("run"))), {.seeds = 5}, execution).weights;
    });
    EXPECT_EQ(weights, expected) << n_ranks << " ranks";
  }
}

TEST_F(SharedWork, EpochsOfTrainingsSideBySideAreCountedTogether) {
  const Run run = trained(kShort);
  std::size_t last = 0, n_reports = 0;
  weights_of_seeds(run, {.n_threads = 3, .progress = [&](const ProgressReport& report) {
                           EXPECT_EQ(report.stage, "training");
                           EXPECT_EQ(report.epoch, nullptr);
                           EXPECT_EQ(report.n_total, 80U);
                           EXPECT_EQ(report.n_trainings, 4U);
                           EXPECT_GE(report.n_done, last);
                           last = report.n_done;
                           ++n_reports;
                         }});
  EXPECT_EQ(last, 80U);
  EXPECT_GE(n_reports, 80U);
}

TEST_F(SharedWork, InterruptedSideBySideItContinuesToTheSameBits) {
  const Run run = trained(kShort);
  const auto expected = weights_of_seeds(run, {.n_threads = 1});
  std::filesystem::remove_all(path("run/seeds"));
  std::atomic<bool> cancel = false;
  const Execution stopped{
      .n_threads = 3,
      .progress = [&](const ProgressReport& report) { cancel = cancel || report.n_done > 10; },
      .cancel = &cancel};
  EXPECT_THROW(gather_networks(open_run(run), {.seeds = 5}, stopped), Interruption);
  EXPECT_TRUE(std::filesystem::exists(path("run/seeds/1/checkpoint.npz")));
  EXPECT_EQ(gather_networks(open_run(run), {.seeds = 5}, {.n_threads = 2}).weights, expected);
}

TEST_F(SharedWork, RetrainedPointsHaveTheSameBits) {
  const Run run = trained(kShort);
  const auto retrained = [&](const Run& of, const Execution& execution) {
    std::vector<double> values;
    const Landscape result =
        landscape(of, {.vary = {{"a", 0, 2, 3}}, .seeds = 2, .retrain = 3, .execution = execution});
    for (const RetrainedPoint& point : result.retrained) {
      values.push_back(point.retrained_rmse);
      for (const RetrainedValue& value : point.values) values.push_back(value.retrained);
    }
    return values;
  };
  const std::vector<double> expected = retrained(run, {.n_threads = 1});
  ASSERT_GT(expected.size(), 3U);
  for (const char* folder : {"run/seeds", "run/retrained"}) std::filesystem::remove_all(path(folder));
  EXPECT_EQ(retrained(run, {.n_threads = 4}), expected);
  for (const char* folder : {"run/seeds", "run/retrained"}) std::filesystem::remove_all(path(folder));
  EXPECT_EQ(
      on_ranks(3, [&](const Execution& execution) { return retrained(Run::open(path("run")), execution); }),
      expected);
}

TEST_F(SharedWork, ARunInMemoryIsNotSharedAmongProcesses) {
  trained(kShort);
  const Run run = train(Model::read(path("model.toml")), {.execution = {.n_threads = 1}});
  ThreadRanks(2).run([&](Communicator& rank) {
    const std::string message = refusal(
        [&] { gather_networks(open_run(run), {.seeds = 2}, {.n_threads = 1, .communicator = &rank}); });
    EXPECT_TRUE(has(message, "in memory alone")) << message;
  });
}

TEST_F(SharedWork, TrialsHaveTheSameBits) {
  trained(kShort);
  const auto compared = [&](const Execution& execution, const std::string& folder) {
    const Model model = Model::read(path("model.toml"));
    return to_json(compare(model, {.folder = path(folder),
                                   .lambdas = {0.01},
                                   .trials = 2,
                                   .regularizer = "normD",
                                   .estimate = {.steps = 50},
                                   .execution = execution}));
  };
  const std::string expected = compared({.n_threads = 1}, "alone");
  EXPECT_TRUE(has(expected, "adaptive"));
  for (std::size_t n_threads : {2, 3, 4, 8})
    EXPECT_EQ(compared({.n_threads = n_threads}, "threads" + std::to_string(n_threads)), expected);
  for (std::size_t n_ranks : {1, 2, 3, 5})
    EXPECT_EQ(on_ranks(n_ranks,
                       [&](const Execution& execution) {
                         return compared(execution, "ranks" + std::to_string(n_ranks));
                       }),
              expected)
        << n_ranks << " ranks";
}

TEST_F(SharedWork, ChainsHaveTheSameBits) {
  trained(kShort);
  const auto draws = [&](const Execution& execution) {
    const Posterior posterior = sample(Run::open(path("run")), {.regularizer = "normD",
                                                                .beta = 10,
                                                                .method = SampleMethod::nuts,
                                                                .chains = 3,
                                                                .draws = 30,
                                                                .warmup = 30,
                                                                .execution = execution});
    std::vector<double> all;
    for (const PosteriorParameter& parameter : posterior.parameters)
      all.insert(all.end(), parameter.draws.begin(), parameter.draws.end());
    return all;
  };
  const std::vector<double> expected = draws({.n_threads = 1});
  ASSERT_GE(expected.size(), 90U);
  for (std::size_t n_threads : {2, 3, 4}) EXPECT_EQ(draws({.n_threads = n_threads}), expected);
  for (std::size_t n_ranks : {2, 3, 5}) EXPECT_EQ(on_ranks(n_ranks, draws), expected) << n_ranks << " ranks";
}

TEST_F(SharedWork, StartsHaveTheSameBits) {
  trained(kShort);
  for (EstimateMethod method : {EstimateMethod::adam, EstimateMethod::lbfgs}) {
    const auto found = [&](const Execution& execution) {
      const Estimate result = estimate(
          Run::open(path("run")),
          {.regularizer = "normD", .method = method, .starts = 5, .steps = 40, .execution = execution});
      std::vector<double> all = {result.regularizer, static_cast<double>(result.n_evaluations)};
      for (const auto& [name, value] : result.theta) all.push_back(value);
      return all;
    };
    const std::vector<double> expected = found({.n_threads = 1});
    ASSERT_GT(expected.size(), 2U);
    for (std::size_t n_threads : {2, 3, 4}) EXPECT_EQ(found({.n_threads = n_threads}), expected);
    for (std::size_t n_ranks : {2, 3, 5})
      EXPECT_EQ(on_ranks(n_ranks, found), expected) << n_ranks << " ranks";
  }
}

TEST_F(SharedWork, StartsSideBySideAreCancelled) {
  trained(kShort);
  std::atomic<bool> cancel = false;
  const Execution stopped{
      .n_threads = 3, .progress = [&](const ProgressReport&) { cancel = true; }, .cancel = &cancel};
  EXPECT_THROW(estimate(Run::open(path("run")), {.regularizer = "normD",
                                                 .method = EstimateMethod::adam,
                                                 .starts = 5,
                                                 .steps = 100'000,
                                                 .execution = stopped}),
               Interruption);
}

}  // namespace
}  // namespace greybox::test
