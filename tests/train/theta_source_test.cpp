#include "train/theta_source.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/gradient_check.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

ParameterSpec parameter(const std::string& name, PriorKind prior, double low, double high) {
  ParameterSpec spec;
  spec.name = name;
  spec.prior = prior;
  spec.low = low;
  spec.high = high;
  return spec;
}

std::vector<ParameterSpec> two_parameters(bool is_learned = false) {
  std::vector<ParameterSpec> parameters = {parameter("a", PriorKind::uniform, 0, 2),
                                           parameter("b", PriorKind::normal, -10, 10)};
  parameters[1].mean = 1;
  parameters[1].learned = is_learned;
  return parameters;
}

std::vector<double> filled(const ThetaSource<double>& source, Purpose purpose, std::uint64_t step,
                           std::size_t n_samples) {
  std::vector<double> learned(source.n_learned()), theta(2 * n_samples);
  source.start(learned, 0);
  source.fill(purpose, step, learned, theta);
  return theta;
}

TEST(ThetaSource, DrawsAreFunctionsOfSeedPurposeStepAndPlace) {
  const auto source = make_theta_source<double>(ThetaOrigin::drawn, two_parameters(), 5, {});
  const auto twin = make_theta_source<double>(ThetaOrigin::drawn, two_parameters(), 5, {});
  const auto other = make_theta_source<double>(ThetaOrigin::drawn, two_parameters(), 6, {});
  const std::vector<double> theta = filled(*source, Purpose::parameters, 3, 8);
  EXPECT_EQ(theta, filled(*twin, Purpose::parameters, 3, 8));
  EXPECT_NE(theta, filled(*other, Purpose::parameters, 3, 8));
  EXPECT_NE(theta, filled(*source, Purpose::parameters, 4, 8));
  EXPECT_NE(theta, filled(*source, Purpose::validation, 3, 8));
  EXPECT_NE(theta[0], theta[2]);
  const std::vector<double> fewer = filled(*source, Purpose::parameters, 3, 5);
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), theta.begin()));
}

TEST(ThetaSource, EveryPlaceHasItsOwnDrawHoweverManyThereAre) {
  std::vector<ParameterSpec> parameters = two_parameters(true);
  parameters.push_back(parameter("c", PriorKind::uniform, 5, 6));
  const auto source = make_theta_source<double>(ThetaOrigin::drawn, parameters, 5, {});
  std::vector<double> learned(source->n_learned()), theta(3 * 100);
  source->start(learned, 0);
  source->fill(Purpose::parameters, 3, learned, theta);
  const Random random(5, Purpose::parameters);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const Prior prior(parameters[i % 3]);
    EXPECT_EQ(theta[i], prior.draw(prior.start(), random.uniform(3, i)));
  }
}

TEST(ThetaSource, AControlHasOneDrawPerBatchAndManyInValidation) {
  std::vector<ParameterSpec> parameters = two_parameters();
  parameters[1].draw = DrawPer::batch;
  const auto source = make_theta_source<double>(ThetaOrigin::drawn, parameters, 5, {});
  const std::vector<double> theta = filled(*source, Purpose::parameters, 3, 80);
  for (std::size_t i = 0; i < 80; ++i) EXPECT_EQ(theta[2 * i + 1], theta[1]) << i;
  EXPECT_NE(theta[0], theta[2]);
  EXPECT_NE(theta[1], filled(*source, Purpose::parameters, 4, 80)[1]);
  const std::vector<double> validation = filled(*source, Purpose::validation, 3, 80);
  EXPECT_NE(validation[1], validation[3]);
}

TEST(ThetaSource, GradientsOfLearnedPriorsAgreeWithDifferences) {
  const auto source = make_theta_source<double>(ThetaOrigin::drawn, two_parameters(true), 5, {});
  ASSERT_EQ(source->n_learned(), 2U);
  std::vector<double> learned(2), theta(20), grad_theta(20), gradient(2);
  source->start(learned, 0);
  for (std::size_t i = 0; i < 20; ++i) grad_theta[i] = std::sin(static_cast<double>(i));
  source->pull_back(9, learned, grad_theta, gradient);
  const auto objective = [&] {
    source->fill(Purpose::parameters, 9, learned, theta);
    double sum = 0;
    for (std::size_t i = 0; i < 20; ++i) sum += grad_theta[i] * theta[i];
    return sum;
  };
  test::expect_gradient("learned prior", learned, gradient, objective);
}

TEST(ThetaSource, CommonThetaStartsFromThePriorAndSumsGradients) {
  const auto source = make_theta_source<double>(ThetaOrigin::learned, two_parameters(), 5, {});
  const std::vector<double> theta = filled(*source, Purpose::parameters, 3, 3);
  EXPECT_EQ(theta[0], theta[2]);
  EXPECT_EQ(theta[1], theta[5]);
  EXPECT_TRUE(theta[0] > 0 && theta[0] < 2);
  std::vector<double> learned{-1, 20}, gradient(2);
  source->pull_back(0, learned, std::vector<double>{1, 2, 3, 4, 5, 6}, gradient);
  EXPECT_EQ(gradient, (std::vector<double>{9, 12}));
  source->project(learned);
  EXPECT_EQ(learned, (std::vector<double>{0, 10}));
}

TEST(ThetaSource, FixedThetaIsTheSameEverywhere) {
  const auto source = make_theta_source<float>(ThetaOrigin::fixed, two_parameters(), 5, {0.1, 3});
  std::vector<float> theta(4);
  source->fill(Purpose::parameters, 7, {}, theta);
  EXPECT_EQ(theta, (std::vector<float>{0.1F, 3, 0.1F, 3}));
  EXPECT_EQ(source->common({}), (std::vector<double>{0.1, 3}));
}

TEST(ThetaSource, BoundsHoldInDoubleAfterTrainingInFloat) {
  std::vector<ParameterSpec> parameters = two_parameters();
  parameters[0].high = 0.1;  // rounds up to float
  const auto source = make_theta_source<float>(ThetaOrigin::learned, parameters, 5, {});
  std::vector<float> learned{5, 5};
  source->project(learned);
  EXPECT_LE(source->common(learned)[0], 0.1);
}

}  // namespace
}  // namespace greybox
