// Interpolated landscapes: close where θ acts smoothly, refused where it does not, however narrow the place.
#include "analysis/theta/interpolated_scan.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/theta/point_estimate.hpp"
#include "data/scratch_folder.hpp"
#include "model/loaded_model.hpp"
#include "model/weights.hpp"

namespace greybox::test {
namespace {

class InterpolatedScan : public ScratchFolder {
 protected:
  InterpolatedScan() {
    std::string text = "x,y\n";
    for (int i = 0; i < 120; ++i)
      text += std::to_string(0.02 * i) + "," + std::to_string(0.5 + 0.01 * i) + "\n";
    write("data.csv", text);
  }

  struct Outcome {
    std::optional<InterpolatedValues> found;
    ThetaValues exact;
    // Of the first regularizer, as a part of its range.
    double error = 0;
  };

  // R = |mean(theory)| + mean(theory²) of a theory of a in [0, 1].
  LoadedModel model_of(const std::string& theory,
                       const std::string& r = "abs(mean(theory.y)) + mean(theory.y^2)") const {
    return load_model(write("model.toml", R"toml(scale = "none"
[data]
file = "data.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 1 }
[theory]
y = ")toml" + theory + R"toml("
[network.fD]
inputs  = ["x", "a"]
hidden  = [4]
outputs = ["y"]
[regularizers]
r = ")toml" + r + R"toml("
)toml"));
  }

  Outcome scan(const std::string& theory, std::size_t n_points = 401) const {
    const LoadedModel loaded = model_of(theory);
    ThreadPool pool(1);
    const std::vector<std::size_t> windows = loaded.data->all();
    const ThetaGrid grid = make_grids(*loaded.spec, {{{"a", 0, 1, n_points}}, {}, {}}).front();
    const NetworkSet<double> networks(*loaded.model);
    ThetaScan<double> scan(loaded, initial_weights(networks.tensors(), 1), windows.size(), pool);
    Outcome outcome{interpolate_scan(scan, loaded, windows, grid), scan.evaluate(windows, grid.theta())};
    if (!outcome.found) return outcome;
    const std::vector<double>& exact = outcome.exact.regularizers[0];
    const auto [low, high] = std::minmax_element(exact.begin(), exact.end());
    for (std::size_t i = 0; i < exact.size(); ++i)
      outcome.error = std::max(
          outcome.error, std::abs(outcome.found->values.regularizers[0][i] - exact[i]) / (*high - *low));
    return outcome;
  }
};

TEST_F(InterpolatedScan, TakesATenthOfTheWorkForAThousandthOfTheRange) {
  for (const char* theory : {"a * x", "exp(-3 * a) * sin(2 * x)", "sin(a + x) - 0.3", "1 / (0.3 + a) - x"}) {
    const Outcome outcome = scan(theory);
    ASSERT_TRUE(outcome.found) << theory;
    EXPECT_LE(outcome.found->n_computed, 401U / 10) << theory;
    EXPECT_LE(outcome.error, 1e-3) << theory;
  }
}

// R has a kink where a mean changes its sign; the means have none.
TEST_F(InterpolatedScan, FollowsKinksOfTheRegularizer) {
  const Outcome outcome = scan("a - 0.37 + 0 * x");
  ASSERT_TRUE(outcome.found);
  EXPECT_LE(outcome.error, 1e-3);
}

TEST_F(InterpolatedScan, FollowsPeriodicTheta) {
  const Outcome outcome = scan("sin(6.283185307 * 2 * a + x)");
  ASSERT_TRUE(outcome.found);
  EXPECT_LE(outcome.error, 1e-3);
  EXPECT_LE(outcome.found->n_computed, 401U / 2);
}

TEST_F(InterpolatedScan, IsRefusedWhereTheMeansHaveKinks) {
  EXPECT_FALSE(scan("abs(a - 0.37) + 0 * x").found);
  EXPECT_FALSE(scan("where(a > 0.63, 1, 0) + x").found);
}

// Of a mean that nobody asked for, a kink far below what other windows would make of it.
TEST_F(InterpolatedScan, DoesNotFollowWhatChanceHides) {
  const LoadedModel file = model_of("x - 1.19 + 0.01 * abs(a - 0.37)", "mean((theory.y + a * x)^2)");
  const LoadedModel loaded =
      assemble(file.spec, read_own_table(*file.spec), std::vector<std::string>{"mean(theory.y)"});
  ThreadPool pool(1);
  const std::vector<std::size_t> windows = loaded.data->all();
  const ThetaGrid grid = make_grids(*loaded.spec, {{{"a", 0, 1, 401}}, {}, {}}).front();
  const NetworkSet<double> networks(*loaded.model);
  ThetaScan<double> scan(loaded, initial_weights(networks.tensors(), 1), windows.size(), pool);
  EXPECT_FALSE(interpolate_scan(scan, loaded, windows, grid));
  const std::optional<InterpolatedValues> found =
      interpolate_scan(scan, loaded, windows, grid, {}, {.n_exacting = 1});
  ASSERT_TRUE(found);
  const ThetaValues exact = scan.evaluate(windows, grid.theta());
  const auto [low, high] = std::minmax_element(exact.regularizers[0].begin(), exact.regularizers[0].end());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    EXPECT_NEAR(found->values.regularizers[0][i], exact.regularizers[0][i], 1e-3 * (*high - *low));
    EXPECT_NEAR(found->values.regularizers[1][i], exact.regularizers[1][i], 0.002);
  }
}

// The lowest point of a grid is that of all its points, from fewer of them.
TEST_F(InterpolatedScan, FindsTheLowestPointOfAGrid) {
  for (const char* theory : {"a * x - 0.7", "sin(a + x) - 0.83", "a - 0.37 + 0 * x"}) {
    const LoadedModel loaded = model_of(theory);
    const NetworkSet<double> networks(*loaded.model);
    const std::vector<double> weights = initial_weights(networks.tensors(), 1);
    ThreadPool pool(1);
    PointOptions options = default_options(EstimateMethod::grid);
    const auto found = [&] {
      return estimate_point<double>(loaded, weights, 0, loaded.data->all(), pool, options);
    };
    const PointEstimate near_all = found();
    options.is_exact = true;
    const PointEstimate all = found();
    EXPECT_EQ(near_all.theta, all.theta) << theory;
    EXPECT_EQ(near_all.regularizer, all.regularizer) << theory;
    EXPECT_EQ(near_all.loss, all.loss) << theory;
    EXPECT_EQ(all.n_evaluations, 400U) << theory;
    EXPECT_LT(near_all.n_evaluations, 100U) << theory;
  }
}

// No point of the first levels lies in it.
TEST_F(InterpolatedScan, IsRefusedOrRightAtANarrowValley) {
  for (const char* width : {"0.1", "0.03", "0.01", "0.004"}) {
    const Outcome outcome = scan("1 - exp(-((a - 0.617) / " + std::string(width) + ")^2) + 0.1 * a * x");
    EXPECT_LE(outcome.error, 1e-3) << width;
  }
  EXPECT_FALSE(scan("1 - exp(-((a - 0.617) / 0.01)^2) + 0 * x").found);
}

}  // namespace
}  // namespace greybox::test
