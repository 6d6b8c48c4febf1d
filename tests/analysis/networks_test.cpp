#include "analysis/run/networks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/trained_toy.hpp"
#include "greybox/landscape.hpp"

namespace greybox::test {
namespace {

class NetworksOf : public TrainedToy {
 protected:
  static constexpr const char* kShort = "epochs = 20\nbatch = 10\nrate = 1e-2";

  static NetworkOptions seeds(std::size_t n) { return {.seeds = n}; }
  static Networks gather(const Run& run, const NetworkOptions& options,
                         const Execution& execution = {.n_threads = 1}) {
    return gather_networks(open_run(run), options, execution);
  }
  Run train_with_seed(std::uint64_t seed, const std::string& name, double lambda = 0) {
    TrainOptions options;
    options.folder = path(name);
    options.seed = seed;
    options.lambda = lambda;
    options.regularizer = "normD";
    options.execution.n_threads = 1;
    return train(Model::read(path("model.toml")), options);
  }
};

TEST_F(NetworksOf, ARunAreTrainedOnceAndAsByHand) {
  const Run run = trained(kShort);
  const Networks networks = gather(run, seeds(3));
  EXPECT_EQ(networks.seeds, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_NE(networks.weights[1], networks.weights[2]);
  const OpenedRun by_hand = open_run(Run::open(path("run/seeds/2")));
  EXPECT_EQ(networks.weights[2], by_hand.weights);
  EXPECT_EQ(by_hand.record->options.mode, TrainMode::adaptive);

  std::size_t n_epochs = 0;
  const Execution counted{.n_threads = 1, .progress = [&](const ProgressReport&) { ++n_epochs; }};
  EXPECT_EQ(gather(run, seeds(3), counted).weights, networks.weights);
  EXPECT_EQ(n_epochs, 0U);
  gather(run, seeds(4), counted);
  EXPECT_EQ(n_epochs, 20U);
}

TEST_F(NetworksOf, AnInterruptedRunAreContinuedToTheSameBits) {
  const Run run = trained(kShort);
  std::atomic<bool> cancel = false;
  const Execution stopped{
      .n_threads = 1,
      .progress = [&](const ProgressReport& report) { cancel = report.epoch->epoch == 7; },
      .cancel = &cancel};
  EXPECT_THROW(gather(run, seeds(2), stopped), Interruption);
  const Networks continued = gather(run, seeds(2));
  std::filesystem::remove_all(path("run/seeds"));
  EXPECT_EQ(gather(run, seeds(2)).weights, continued.weights);
}

TEST_F(NetworksOf, ARunThatWasTrainedAnewAreRefused) {
  const Run run = trained(kShort);
  gather(run, seeds(2));
  const Run anew =
      train(Model::read(path("model.toml")), {.epochs = 21, .folder = path("run"), .overwrite = true});
  EXPECT_TRUE(has(refusal([&] { gather(anew, seeds(2)); }), "another model, data or options"));
}

TEST_F(NetworksOf, FurtherRunsAreJoined) {
  const Run run = trained(kShort);
  NetworkOptions options;
  options.with = {train_with_seed(5, "second")};
  const Networks networks = gather(run, options);
  EXPECT_EQ(networks.seeds, (std::vector<std::uint64_t>{0, 5}));
  EXPECT_TRUE(has(networks.warnings.at(0), "regularizer normD"));
  options.with = {train_with_seed(6, "third", 0.1)};
  EXPECT_TRUE(has(gather(run, options).warnings.at(0), "λ = 0.1"));
}

TEST_F(NetworksOf, RunsThatDoNotBelongTogetherAreRefused) {
  const Run run = trained(kShort);
  NetworkOptions options;
  options.with = {run};
  EXPECT_TRUE(has(refusal([&] { gather(run, options); }), "there already"));
  model("epochs = 3");
  options.with = {train_with_seed(1, "other")};
  EXPECT_TRUE(has(refusal([&] { gather(run, options); }), "a run of another model"));
  EXPECT_TRUE(has(refusal([&] { Run::open(path("nowhere")); }), "not a run folder"));
  EXPECT_TRUE(has(refusal([&] { gather(run, seeds(0)); }), "option `seeds`"));
}

// All of them fit everywhere, so that minima of each are sought among the same θ.
TEST_F(NetworksOf, ALandscapeAreItsMeanAndItsSpread) {
  const Run run = trained("epochs = 1000\nbatch = 10\nrate = [1e-2, 1e-4]");
  LandscapeOptions asked;
  asked.vary = {{"a", 0.2, 1.8, 4}, {"c", -2, 2, 3}};
  asked.seeds = 3;
  asked.on = Splits{{Split::test}};  // the same whatever the seed
  const LandscapeGrid together = landscape(run, asked).grids[0];
  ASSERT_EQ(together.maps[0].band.networks.size(), 3U);
  asked.seeds = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const Run network = k == 0 ? run : Run::open(path("run") / "seeds" / std::to_string(k));
    const LandscapeGrid alone = landscape(network, asked).grids[0];
    EXPECT_TRUE(alone.maps[0].band.networks.empty());
    EXPECT_EQ(together.is_poor, alone.is_poor);
    EXPECT_EQ(together.maps[1].band.networks[k], alone.maps[1].values);
    EXPECT_EQ(together.nrmse_band.networks[k], alone.nrmse);
    EXPECT_EQ(together.maps[0].network_minima[k][0].theta, alone.maps[0].minima[0].theta);
  }
  const auto& networks = together.maps[0].band.networks;
  EXPECT_NEAR(together.maps[0].values[5], (networks[0][5] + networks[1][5] + networks[2][5]) / 3, 1e-15);
  EXPECT_GT(together.maps[0].band.spread[5], 0);
}

// In memory the trainings are kept too, with the bits of those in folders.
TEST_F(NetworksOf, ARunInMemoryAreThoseOfAFolder) {
  const Run in_folder = trained(kShort);
  const Run in_memory = train(Model::read(path("model.toml")), {.execution = {.n_threads = 1}});
  std::size_t n_epochs = 0;
  const Execution counted{.n_threads = 1, .progress = [&](const ProgressReport&) { ++n_epochs; }};
  const Networks networks = gather(in_memory, seeds(3), counted);
  EXPECT_EQ(n_epochs, 40U);
  EXPECT_EQ(networks.weights, gather(in_folder, seeds(3)).weights);
  EXPECT_EQ(gather(in_memory, seeds(3), counted).weights, networks.weights);
  EXPECT_EQ(n_epochs, 40U);
}

}  // namespace
}  // namespace greybox::test
