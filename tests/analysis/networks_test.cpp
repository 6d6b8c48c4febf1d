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

  static NetworkOptions seeds(std::size_t n) {
    NetworkOptions options;
    options.n_seeds = n;
    options.n_threads = 1;
    return options;
  }
  static Networks gather(const std::filesystem::path& run, const NetworkOptions& options) {
    return gather_networks(open_run(run, {}, {}), options);
  }
  std::filesystem::path train_with_seed(std::uint64_t seed, const std::string& name, double lambda = 0) {
    TrainOptions options;
    options.model = path("model.toml");
    options.run = path(name);
    options.seed = seed;
    options.lambda = lambda;
    options.regularizer = "normD";
    options.n_threads = 1;
    train(options);
    return options.run;
  }
};

TEST_F(NetworksOf, ARunAreTrainedOnceAndAsByHand) {
  const std::filesystem::path run = trained(kShort);
  const Networks networks = gather(run, seeds(3));
  EXPECT_EQ(networks.seeds, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_NE(networks.weights[1], networks.weights[2]);
  const OpenedRun by_hand = open_run(run / "seeds/2", {}, {});
  EXPECT_EQ(networks.weights[2], by_hand.weights);
  EXPECT_EQ(by_hand.info->mode, TrainMode::adaptive);

  NetworkOptions again = seeds(3);
  std::size_t n_epochs = 0;
  again.progress = [&](const NetworkProgress&) { ++n_epochs; };
  EXPECT_EQ(gather(run, again).weights, networks.weights);
  EXPECT_EQ(n_epochs, 0U);
  again.n_seeds = 4;
  gather(run, again);
  EXPECT_EQ(n_epochs, 20U);
}

TEST_F(NetworksOf, AnInterruptedRunAreContinuedToTheSameBits) {
  const std::filesystem::path run = trained(kShort);
  std::atomic<bool> cancel = false;
  NetworkOptions options = seeds(2);
  options.cancel = &cancel;
  options.progress = [&](const NetworkProgress& progress) { cancel = progress.epoch.epoch == 7; };
  EXPECT_THROW(gather(run, options), Interruption);
  const Networks continued = gather(run, seeds(2));
  std::filesystem::remove_all(run / "seeds");
  EXPECT_EQ(gather(run, seeds(2)).weights, continued.weights);
}

TEST_F(NetworksOf, ARunThatWasTrainedAnewAreRefused) {
  const std::filesystem::path run = trained(kShort);
  gather(run, seeds(2));
  TrainOptions anew;
  anew.model = path("model.toml");
  anew.run = run;
  anew.epochs = 21;
  anew.overwrite = true;
  train(anew);
  EXPECT_TRUE(has(refusal([&] { gather(run, seeds(2)); }), "another model, data or options"));
}

TEST_F(NetworksOf, FurtherRunsAreJoined) {
  const std::filesystem::path run = trained(kShort);
  NetworkOptions options;
  options.with = {train_with_seed(5, "second")};
  const Networks networks = gather(run, options);
  EXPECT_EQ(networks.seeds, (std::vector<std::uint64_t>{0, 5}));
  EXPECT_TRUE(has(networks.warnings.at(0), "regularizer normD"));
  options.with = {train_with_seed(6, "third", 0.1)};
  EXPECT_TRUE(has(gather(run, options).warnings.at(0), "λ = 0.1"));
}

TEST_F(NetworksOf, RunsThatDoNotBelongTogetherAreRefused) {
  const std::filesystem::path run = trained(kShort);
  NetworkOptions options;
  options.with = {run};
  EXPECT_TRUE(has(refusal([&] { gather(run, options); }), "there already"));
  model("epochs = 3");
  options.with = {train_with_seed(1, "other")};
  EXPECT_TRUE(has(refusal([&] { gather(run, options); }), "a run of another model"));
  options.with = {path("nowhere")};
  EXPECT_TRUE(has(refusal([&] { gather(run, options); }), "not a run folder"));
  EXPECT_TRUE(has(refusal([&] { gather(run, seeds(0)); }), "--seeds"));
}

TEST_F(NetworksOf, ALandscapeAreItsMeanAndItsSpread) {
  LandscapeOptions asked;
  asked.run = trained(kShort);
  asked.vary = {{"a", 0, 2, 4}, {"c", -3, 3, 3}};
  asked.networks = seeds(3);
  asked.split = "test";  // the same whatever the seed
  const Landscape together = landscape(asked).landscapes[0];
  ASSERT_EQ(together.maps[0].band.networks.size(), 3U);
  asked.networks = {};
  for (std::size_t k = 0; k < 3; ++k) {
    if (k > 0) asked.run = path("run") / "seeds" / std::to_string(k);
    const Landscape alone = landscape(asked).landscapes[0];
    EXPECT_TRUE(alone.maps[0].band.networks.empty());
    EXPECT_EQ(together.maps[1].band.networks[k], alone.maps[1].values);
    EXPECT_EQ(together.nrmse_band.networks[k], alone.nrmse);
    EXPECT_EQ(together.maps[0].network_minima[k][0].theta, alone.maps[0].minima[0].theta);
  }
  const auto& networks = together.maps[0].band.networks;
  EXPECT_NEAR(together.maps[0].values[5], (networks[0][5] + networks[1][5] + networks[2][5]) / 3, 1e-15);
  EXPECT_GT(together.maps[0].band.spread[5], 0);
}

}  // namespace
}  // namespace greybox::test
