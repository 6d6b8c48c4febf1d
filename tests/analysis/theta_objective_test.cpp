#include "analysis/theta/theta_objective.hpp"

#include <gtest/gtest.h>

#include "model/fixture.hpp"

namespace greybox::test {
namespace {

std::size_t place_of(const BoundModel& model, const std::string& name) {
  std::size_t r = 0;
  while (model.regularizers.at(r).name != name) ++r;
  return r;
}

struct Case {
  std::string model, regularizer;
};

class ThetaObjectiveOf : public ::testing::TestWithParam<Case> {};

TEST_P(ThetaObjectiveOf, HasTheValueThatPyTorchHas) {
  const Fixture fixture(GetParam().model);
  ThreadPool pool(2);
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  ThetaObjective<double> objective(fixture.loaded, fixture.weights,
                                   place_of(*fixture.loaded.model, GetParam().regularizer), windows.size(),
                                   pool);
  objective.set_windows(windows);
  const auto value = objective.evaluate(fixture.expected.at("theta_common"));
  const double expected = fixture.expected.at("float64.common.R." + GetParam().regularizer)[0];
  EXPECT_NEAR(value.regularizer, expected, 1e-11 * std::abs(expected));
  EXPECT_NEAR(value.loss, fixture.expected.at("float64.common.L")[0], 1e-11);
}

TEST_P(ThetaObjectiveOf, HasTheGradientOfFiniteDifferences) {
  const Fixture fixture(GetParam().model);
  ThreadPool pool(1);
  const std::vector<std::size_t> windows = fixture.loaded.data->all();
  ThetaObjective<double> objective(fixture.loaded, fixture.weights,
                                   place_of(*fixture.loaded.model, GetParam().regularizer), windows.size(),
                                   pool);
  objective.set_windows(windows);
  std::vector<double> theta = fixture.expected.at("theta_common");
  std::vector<double> gradient(theta.size());
  objective.evaluate(theta);
  objective.gradient(gradient);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double step = 1e-6 * std::max(std::abs(theta[p]), 1e-2), middle = theta[p];
    theta[p] = middle + step;
    const double above = objective.evaluate(theta).regularizer;
    theta[p] = middle - step;
    const double below = objective.evaluate(theta).regularizer;
    theta[p] = middle;
    const double slope = (above - below) / (2 * step);
    EXPECT_NEAR(gradient[p], slope, 1e-5 * std::max(std::abs(slope), 1e-2)) << "parameter " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ThetaObjectiveOf,
                         ::testing::Values(Case{"toy", "centred"}, Case{"toy", "normdif"},
                                           Case{"pendulum", "corr"}, Case{"predator-prey", "normD"},
                                           Case{"reaction-diffusion", "normD"}),
                         [](const auto& test) {
                           std::string name = test.param.model + "_" + test.param.regularizer;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ThetaObjective, LooksOnlyAtItsWindows) {
  const Fixture fixture("toy");
  ThreadPool pool(1);
  const std::size_t normd = place_of(*fixture.loaded.model, "normD");
  const std::vector<std::size_t> all = fixture.loaded.data->all();
  ThetaObjective<double> objective(fixture.loaded, fixture.weights, normd, all.size(), pool);
  const std::vector<double> theta = {1.2, 0.4};
  double sum = 0;
  for (const std::size_t& window : all) {
    objective.set_windows({&window, 1});
    sum += objective.evaluate(theta).regularizer;
  }
  objective.set_windows(all);
  EXPECT_NEAR(objective.evaluate(theta).regularizer, sum / static_cast<double>(all.size()), 1e-14);
}

}  // namespace
}  // namespace greybox::test
