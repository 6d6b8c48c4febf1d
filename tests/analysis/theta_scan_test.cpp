#include "analysis/theta/theta_scan.hpp"

#include <gtest/gtest.h>

#include "model/fixture.hpp"
#include "model/prediction.hpp"

namespace greybox::test {
namespace {

// A few θ around the one that the fixture knows: rows of values.
std::vector<std::vector<double>> some_theta(const Fixture& fixture, std::size_t n) {
  std::vector<std::vector<double>> rows(n, fixture.expected.at("theta_common"));
  for (std::size_t k = 0; k < n; ++k)
    for (double& value : rows[k]) value *= 1 + 0.02 * static_cast<double>(k);
  return rows;
}

std::vector<double> flat(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const std::vector<double>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

class ThetaScanOf : public ::testing::TestWithParam<std::string> {};

TEST_P(ThetaScanOf, AgreesWithPredictionsAtEveryTheta) {
  const Fixture fixture(GetParam());
  ThreadPool pool(2);
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  const auto rows = some_theta(fixture, 5);
  ThetaScan<double> scan(fixture.loaded, fixture.weights, windows.size(), pool);
  const ThetaValues values = scan.evaluate(windows, flat(rows));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Prediction prediction =
        make_prediction<double>(fixture.loaded, {fixture.weights, windows, rows[k]}, pool);
    EXPECT_NEAR(values.losses[k], prediction.mse, 1e-12 * prediction.mse);
    for (std::size_t r = 0; r < prediction.regularizers.size(); ++r) {
      const double expected = prediction.regularizers[r].second;
      EXPECT_NEAR(values.regularizers[r][k], expected, 1e-12 * std::max(1.0, std::abs(expected)))
          << prediction.regularizers[r].first;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ThetaScanOf,
                         ::testing::Values("toy", "pendulum", "predator-prey", "reaction-diffusion",
                                           "reaction-diffusion-no-norm"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// More pairs than one piece holds, so that pieces end in the middle of a θ.
TEST(ThetaScan, HasTheSameBitsForAnyNumberOfThreadsAndAnyPieces) {
  const Fixture fixture("toy");
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  const auto rows = some_theta(fixture, 901);
  ThreadPool one(1), two(2);
  ThetaScan<double> alone(fixture.loaded, fixture.weights, windows.size(), one);
  ThetaScan<double> shared(fixture.loaded, fixture.weights, windows.size(), two);
  const ThetaValues expected = alone.evaluate(windows, flat(rows)),
                    actual = shared.evaluate(windows, flat(rows));
  EXPECT_EQ(actual.losses, expected.losses);
  EXPECT_EQ(actual.regularizers, expected.regularizers);
  const ThetaValues last = alone.evaluate(windows, rows.back());
  EXPECT_EQ(last.losses[0], expected.losses.back());
  EXPECT_EQ(last.regularizers[0][0], expected.regularizers[0].back());
}

TEST(ThetaScan, CountsWindowsOfAResampledSetAsOftenAsTheyWereDrawn) {
  const Fixture fixture("toy");
  ThreadPool pool(2);
  const std::vector<std::size_t> windows = {3, 5, 8};
  const std::vector<double> theta = flat(some_theta(fixture, 7));
  ThetaScan<double> scan(fixture.loaded, fixture.weights, 6, pool);
  const std::vector<ThetaValues> sets = scan.evaluate(windows, Resampling{2, {1, 1, 1, 2, 0, 4}}, theta);
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_EQ(sets[0].regularizers, scan.evaluate(windows, theta).regularizers);
  EXPECT_EQ(sets[1].regularizers, sets[0].regularizers);
  const ThetaValues drawn = scan.evaluate(std::vector<std::size_t>{3, 3, 8, 8, 8, 8}, theta);
  for (std::size_t k = 0; k < 7; ++k) {
    EXPECT_NEAR(sets[2].losses[k], drawn.losses[k], 1e-12);
    for (std::size_t r = 0; r < drawn.regularizers.size(); ++r)
      EXPECT_NEAR(sets[2].regularizers[r][k], drawn.regularizers[r][k], 1e-12);
  }
}

TEST(ThetaScan, TellsHowFarItIs) {
  const Fixture fixture("toy");
  ThreadPool pool(1);
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  ThetaScan<float> scan(fixture.loaded, fixture.weights, windows.size(), pool);
  std::vector<std::size_t> steps;
  std::size_t all = 0;
  scan.evaluate(windows, flat(some_theta(fixture, 1000)), [&](std::size_t n_done, std::size_t n_all) {
    steps.push_back(n_done);
    all = n_all;
  });
  EXPECT_GT(steps.size(), 1U);
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_EQ(all, 1000 * windows.size());
  EXPECT_EQ(steps.back(), all);
}

}  // namespace
}  // namespace greybox::test
