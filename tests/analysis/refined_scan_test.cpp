// Landscapes over two parameters from few of their θ: where θ acts smoothly few, everywhere else as many as
// it takes, and always near to what computing all of them gives.
#include "analysis/theta/refined_scan.hpp"

#include <algorithm>
#include <cmath>

#include "data/scratch_folder.hpp"
#include "model/loaded_model.hpp"
#include "model/weights.hpp"

namespace greybox::test {
namespace {

class RefinedScan : public ScratchFolder {
 protected:
  struct Outcome {
    RefinedValues found;
    ThetaValues exact;
    // Of the first regularizer at θ that fit, as a part of its range over these.
    double error = 0;
    // θ where one of the two is a number and the other is none.
    std::size_t n_other_kind = 0;
  };

  struct Options {
    std::size_t n_rows = 120, n_threads = 1;
    double fit_limit = 2;
  };

  void write_table(std::size_t n_rows) const {
    std::string text = "x,y\n";
    for (std::size_t i = 0; i < n_rows; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(n_rows);
      text += std::to_string(2.4 * part) + "," + std::to_string(0.5 + 1.2 * part) + "\n";
    }
    write("data.csv", text);
  }

  // R = |mean(theory)| + mean(theory²) of a theory of a and b in [0, 1].
  LoadedModel model_of(const std::string& theory) const {
    return load_model(write("model.toml", R"toml(scale = "none"
[data]
file = "data.csv"
[parameters]
a = { prior = "uniform", low = 0, high = 1 }
b = { prior = "uniform", low = 0, high = 1 }
[theory]
y = ")toml" + theory + R"toml("
[network.fD]
inputs  = ["x", "a", "b"]
hidden  = [4]
activation = "tanh"
outputs = ["y"]
[regularizers]
r = "abs(mean(theory.y)) + mean(theory.y^2)"
)toml"));
  }

  Outcome scan(const std::string& theory, const Options& options) const {
    write_table(options.n_rows);
    const LoadedModel loaded = model_of(theory);
    ThreadPool pool(options.n_threads);
    const std::vector<std::size_t> windows = loaded.data->all();
    const ThetaGrid grid = make_grids(*loaded.spec, {{{"a", 0, 1, 41}, {"b", 0, 1, 41}}, {}, {}}).front();
    const NetworkSet<double> networks(*loaded.model);
    ThetaScan<double> scan(loaded, initial_weights(networks.tensors(), 1), windows.size(), pool);
    Outcome outcome{
        refine_scan(scan, loaded, windows, grid, grid.places_within(ThetaBox(loaded.spec->parameters)), {},
                    {.fit_limit = options.fit_limit}),
        scan.evaluate(windows, grid.theta())};
    compare(outcome, options.fit_limit);
    return outcome;
  }
  Outcome scan(const std::string& theory) const { return scan(theory, {}); }

  static void compare(Outcome& outcome, double fit_limit) {
    double low = kInfinity, high = -kInfinity;
    const std::vector<double>&exact = outcome.exact.regularizers[0],
          &found = outcome.found.values.regularizers[0];
    for (std::size_t i = 0; i < exact.size(); ++i) {
      if (std::isfinite(exact[i]) != std::isfinite(found[i])) ++outcome.n_other_kind;
      if (!std::isfinite(exact[i]) || !(outcome.exact.losses[i] <= fit_limit)) continue;
      low = std::min(low, exact[i]);
      high = std::max(high, exact[i]);
      outcome.error = std::max(outcome.error, std::abs(exact[i] - found[i]));
    }
    outcome.error /= high - low;
  }
};

constexpr std::size_t kAll = 41 * 41;

TEST_F(RefinedScan, TakesAThirdOfTheWorkWhereThetaActsSmoothly) {
  for (const char* theory : {"a * x + b", "exp(-3 * a) * sin(2 * x + b)", "1 / (0.3 + a) - b * x"}) {
    const Outcome outcome = scan(theory);
    EXPECT_LE(outcome.found.n_computed, kAll / 3) << theory;
    EXPECT_LE(outcome.error, 1e-3) << theory;
    EXPECT_LE(outcome.found.error, 1e-3) << theory;
  }
}

TEST_F(RefinedScan, FollowsKinksValleysAndPeriods) {
  for (const char* theory : {"abs(a + 0.3 * b - 0.57) + 0.1 * x", "where(a > 0.63, 1, 0) + b * x",
                             "1 - exp(-((a - b) / 0.06)^2) + 0.1 * x", "b * sin(6.283185307 * 2 * a + x)"}) {
    const Outcome outcome = scan(theory);
    EXPECT_LE(outcome.error, 4e-3) << theory;
  }
}

TEST_F(RefinedScan, ComputesLittleMoreBesideKinks) {
  EXPECT_LT(scan("abs(a + 0.3 * b - 0.57) + 0.1 * x").found.n_computed, kAll / 2);
  EXPECT_LT(scan("where(a > 0.63, 1, 0) + b * x").found.n_computed, 2 * kAll / 3);
}

// Neither in the first points nor along an axis through them: seen in a few windows, where 2 % of the range
// count.
TEST_F(RefinedScan, FindsAHoleBetweenThePoints) {
  const Outcome outcome = scan("1 - 0.9 * exp(-((a - 0.437)^2 + (b - 0.687)^2) / 0.0009) + 0.1 * a * x");
  EXPECT_LE(outcome.error, 2e-2);
}

TEST_F(RefinedScan, ThetaWithoutNumbersAreARegionOfTheirOwn) {
  const Outcome outcome = scan("sqrt(a + b - 0.6) * (1 + x)");
  EXPECT_EQ(outcome.n_other_kind, 0U);
  EXPECT_LT(outcome.found.n_computed, 2 * kAll / 3);
  EXPECT_LE(outcome.error, 4e-3);
}

// R at θ that do not fit is a hundred times as large: nothing to count the errors of the others against.
TEST_F(RefinedScan, WhatDoesNotFitDoesNotHideTheRest) {
  const Outcome outcome = scan("0.5 + 0.5 * x + 0.3 * (a - 0.4)^2 + exp(5 * (b - 0.3))", {.fit_limit = 2});
  const auto n_poor = std::count_if(outcome.exact.losses.begin(), outcome.exact.losses.end(),
                                    [](double loss) { return loss > 2; });
  EXPECT_GT(n_poor, 400);
  EXPECT_LE(outcome.error, 4e-3);
  EXPECT_LT(outcome.found.n_computed, 2 * kAll / 3);
}

TEST_F(RefinedScan, ComputesEverythingWhereNothingIsSmooth) {
  const Outcome outcome = scan("sin(3000 * a * b) + x");
  EXPECT_EQ(outcome.found.n_computed, kAll);
  EXPECT_EQ(outcome.found.error, 0);
  EXPECT_LE(outcome.error, 1e-12);
}

TEST_F(RefinedScan, IsTheSameForAnyNumberOfThreads) {
  const std::string theory = "abs(a + 0.3 * b - 0.57) + 0.1 * x";
  const Outcome one = scan(theory), three = scan(theory, {.n_threads = 3});
  EXPECT_EQ(one.found.values.regularizers, three.found.values.regularizers);
  EXPECT_EQ(one.found.values.losses, three.found.values.losses);
  EXPECT_EQ(one.found.n_computed, three.found.n_computed);
}

// Too few to look at every θ with some of them.
TEST_F(RefinedScan, WorksWithFewWindows) {
  const Outcome outcome = scan("exp(-3 * a) * sin(2 * x + b)", {.n_rows = 12});
  EXPECT_LE(outcome.found.n_computed, kAll / 3);
  EXPECT_LE(outcome.error, 4e-3);
}

}  // namespace
}  // namespace greybox::test
