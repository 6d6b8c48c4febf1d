#include "analysis/theta/point_estimate.hpp"

#include <gtest/gtest.h>

#include "analysis/run/opened_run.hpp"
#include "analysis/trained_toy.hpp"

namespace greybox::test {
namespace {

class PointEstimateOf : public TrainedToy {
 protected:
  template <class T = double>
  static PointEstimate found(const OpenedRun& run, EstimateMethod method,
                             const std::string& regularizer = "normD") {
    ThreadPool pool(1);
    return estimate_point<T>(run.loaded, run.weights, regularizer_place(*run.loaded.model, regularizer),
                             run.loaded.data->all(), pool, default_options(method));
  }
};

TEST_F(PointEstimateOf, TheToyIsTheSameByEveryMethod) {
  const OpenedRun run = open_run(trained());
  const PointEstimate grid = found(run, EstimateMethod::grid);
  for (EstimateMethod method :
       {EstimateMethod::adam, EstimateMethod::lbfgs, EstimateMethod::bobyqa, EstimateMethod::direct}) {
    const PointEstimate other = found(run, method);
    EXPECT_LE(other.regularizer, grid.regularizer + 1e-9) << static_cast<int>(method);
    EXPECT_NEAR(other.theta[0], grid.theta[0], 0.021) << static_cast<int>(method);  // a cell of the grid
    EXPECT_NEAR(other.theta[1], grid.theta[1], 0.064) << static_cast<int>(method);
  }
}

TEST_F(PointEstimateOf, FloatIsCloseToThatOfDouble) {
  const OpenedRun run = open_run(trained());
  const PointEstimate single = found<float>(run, EstimateMethod::adam),
                      exact = found(run, EstimateMethod::adam);
  for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(single.theta[p], exact.theta[p], 1e-3);
}

// The amplitude wants to be √2. Beside that bound there is a local minimum at the other one, for the opposite
// phase.
TEST_F(PointEstimateOf, AnAmplitudeBeyondItsBoundEndsOnTheBound) {
  const OpenedRun run = open_run(trained("epochs = 300\nbatch = 10\nrate = [1e-2, 1e-4]",
                                         "a = { prior = \"uniform\", low = 0, high = 0.5 }\n"
                                         "c = { prior = \"uniform\", low = \"-pi\", high = \"pi\" }"));
  ThreadPool pool(1);
  for (EstimateMethod method : {EstimateMethod::adam, EstimateMethod::lbfgs, EstimateMethod::bobyqa}) {
    PointOptions options = default_options(method);
    options.n_starts = 8;
    const PointEstimate estimate =
        estimate_point<double>(run.loaded, run.weights, 0, run.loaded.data->all(), pool, options);
    EXPECT_EQ(estimate.theta[0], 0.5) << static_cast<int>(method);
  }
}

TEST_F(PointEstimateOf, ParametersWithoutBoundsIsFoundByEveryMethod) {
  const OpenedRun run = open_run(trained("epochs = 300\nbatch = 10\nrate = [1e-2, 1e-4]",
                                         "a = { prior = \"lognormal\", mean = 0.2, sd = 0.4 }\n"
                                         "c = { prior = \"normal\", mean = 0.7, sd = 0.4 }"));
  const PointEstimate grid = found(run, EstimateMethod::grid);
  for (EstimateMethod method :
       {EstimateMethod::adam, EstimateMethod::lbfgs, EstimateMethod::bobyqa, EstimateMethod::direct})
    EXPECT_LE(found(run, method).regularizer, grid.regularizer + 1e-6) << static_cast<int>(method);
}

TEST_F(PointEstimateOf, IsAFunctionOfTheSeed) {
  const OpenedRun run = open_run(trained());
  ThreadPool one(1), two(2);
  PointOptions options = default_options(EstimateMethod::adam);
  options.n_steps = 20;  // not yet converged, so that the start shows
  const auto estimate = [&](ThreadPool& pool) {
    return estimate_point<double>(run.loaded, run.weights, 0, run.loaded.data->all(), pool, options).theta;
  };
  const std::vector<double> first = estimate(one);
  EXPECT_EQ(estimate(two), first);
  options.seed = 1;
  EXPECT_NE(estimate(one), first);
}

}  // namespace
}  // namespace greybox::test
