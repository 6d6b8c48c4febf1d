#include "analysis/verdict/descent.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/verdict/axis_profiles.hpp"
#include "analysis/verdict/study_reading.hpp"

namespace greybox::test {
namespace {

std::vector<ParameterSpec> unit_ranges(std::size_t n) {
  std::vector<ParameterSpec> parameters(n);
  for (ParameterSpec& parameter : parameters) parameter.high = 1;
  return parameters;
}

// A regularizer and its gradient given by functions, and a misfit of the first coordinate's distance from
// 0.35.
class Given final : public ThetaQuantities {
 public:
  using Function = double (*)(const std::vector<double>&, std::vector<double>&);

  explicit Given(Function function) : function_(function) {}
  std::size_t n_quantities() const override { return 2; }
  void evaluate(std::span<const double> theta) override {
    ++n_evaluations;
    gradient_.assign(theta.size(), 0);
    value_ = function_({theta.begin(), theta.end()}, gradient_);
    away_ = theta[0] - 0.35;
  }
  double value(std::size_t quantity) const override { return quantity == 0 ? value_ : away_ * away_; }
  void gradient(std::size_t quantity, std::span<double> grad_theta) override {
    for (std::size_t p = 0; p < grad_theta.size(); ++p)
      grad_theta[p] = quantity == 0 ? gradient_[p] : p == 0 ? 2 * away_ : 0;
  }
  std::vector<std::vector<double>> resampled(const Resampling& resampling) override {
    return {std::vector<double>(resampling.n_sets, value_), std::vector<double>(resampling.n_sets)};
  }

  std::size_t n_evaluations = 0;

 private:
  Function function_;
  double value_ = 0, away_ = 0;
  std::vector<double> gradient_;
};

// Twelve terms, of very different weight each.
double bowl(const std::vector<double>& u, std::vector<double>& gradient) {
  double sum = 0;
  for (std::size_t p = 0; p < u.size(); ++p) {
    const double weight = std::pow(0.5, static_cast<double>(p)), away = u[p] - 0.3;
    sum += weight * away * away;
    gradient[p] = 2 * weight * away;
  }
  return sum;
}

// |mean(…)| that vanishes along a curved valley.
double kink(const std::vector<double>& u, std::vector<double>& gradient) {
  const double inside = u[0] * u[0] + 3 * u[1] * u[2] - 0.9;
  const double sign = inside > 0 ? 1 : -1;
  gradient = {sign * 2 * u[0], sign * 3 * u[2], sign * 3 * u[1]};
  return std::abs(inside);
}

// Falls below 0, where its square has a gradient of 0.
double crossing(const std::vector<double>& u, std::vector<double>& gradient) {
  gradient = {1, 2 * (u[1] - 0.5)};
  return u[0] - 0.6 + (u[1] - 0.5) * (u[1] - 0.5);
}

std::vector<std::size_t> all_of(std::size_t n) {
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < n; ++k) axes.push_back(k);
  return axes;
}

TEST(Descent, OfASmoothQuantityNeedsGradientsAlone) {
  Given given(bowl);
  const ThetaCoordinates coordinates(unit_ranges(12));
  Descent descent(given, coordinates, 0, 1, {});
  EXPECT_LT(descent.minimise(std::vector<double>(12, 0.9), all_of(12)).value, 1e-9);
  EXPECT_LT(given.n_evaluations, 100U) << "the search without gradients takes hundreds";
}

TEST(Descent, ReachesTheValleyOfAKink) {
  Given given(kink);
  const ThetaCoordinates coordinates(unit_ranges(3));
  Descent descent(given, coordinates, 0, 1, {});
  for (double start : {0.05, 0.4, 0.7, 0.95}) {
    given.n_evaluations = 0;
    EXPECT_LT(descent.minimise({start, 1 - start, start}, all_of(3)).value, kConverged);
    EXPECT_LT(given.n_evaluations, 100U) << start;
  }
}

// The price of misfit adds to |mean(…)|: only their squares are smooth together.
TEST(Descent, ReachesTheValleyOfAKinkWhereTheDataExcludeMost) {
  Given given(kink);
  const ThetaCoordinates coordinates(unit_ranges(3));
  Descent descent(given, coordinates, 0, 1, {.is_active = true, .limit = 1e-6, .price = 10, .unit = 1e-6});
  for (double start : {0.05, 0.4, 0.7, 0.95}) {
    given.n_evaluations = 0;
    EXPECT_LT(descent.minimise({start, 1 - start, start}, all_of(3)).value, kConverged) << start;
    EXPECT_LT(given.n_evaluations, 300U) << start;
  }
}

TEST(Descent, GoesOnBelowZero) {
  Given given(crossing);
  const ThetaCoordinates coordinates(unit_ranges(2));
  Descent descent(given, coordinates, 0, 1, {});
  EXPECT_NEAR(descent.minimise({0.9, 0.9}, all_of(2)).value, -0.6, 1e-6);
}

// Of twelve parameters the last has a five-hundredth of R's rise over the prior, or none: what counts is how
// accurate the search is, not how much the others have.
TEST(Descent, ProfilesOfManyParametersAreNarrowWhereRRisesAtAll) {
  Given given(bowl);
  const ThetaCoordinates coordinates(unit_ranges(12));
  ProfileOptions options{all_of(12), std::vector<double>(12, 0.5)};
  ThetaStudy study;
  study.axes = options.axes;
  study.networks = {0};
  study.spread = spread_points(options, 400);
  std::vector<double> values, gradient(12);
  for (const std::vector<double>& u : study.spread) values.push_back(bowl(u, gradient));
  Descent descent(given, coordinates, 0, 1, {});
  study.profiles = {find_lowest(descent, options, study.spread, values)};
  for (std::size_t axis : study.axes) {
    study.positions.push_back(profile_positions(study.profiles[0], axis, 12));
    study.profiles[0].axes.push_back(
        profile_along(descent, options, study.profiles[0], axis, study.positions.back()));
    for (ProfilePoint& point : study.profiles[0].axes.back()) point.resampled = {0, 0};
  }
  for (std::size_t axis : study.axes) {
    const ParameterReading reading = read_study(study, axis);
    EXPECT_LT(width(reading.interval), 1.0 / 3) << axis;
    EXPECT_LE(reading.interval.first, 0.3) << axis;
    EXPECT_GE(reading.interval.second, 0.3) << axis;
  }
  const double exact = width(read_study(study, 0).interval);
  study.is_smoothed = true;
  EXPECT_GT(width(read_study(study, 0).interval), 2 * exact) << "smoothing has errors of its own";
}

// Descents that end apart tell by how much a profile may be off.
TEST(Descent, RepeatsThatDifferMakeIntervalsWider) {
  QuantityProfiles profiles;
  profiles.median = 1;
  profiles.best.value = 0;
  profiles.axes.resize(1);
  for (int k = 0; k < 20; ++k) profiles.axes[0].push_back({{0.05 * k}, 0.001 * k, 0, {}});
  EXPECT_EQ(descent_accuracy(profiles, 0), kConverged);
  for (ProfilePoint& point : profiles.axes[0]) point.gap = 0.01;
  EXPECT_EQ(descent_accuracy(profiles, 0), 0.01);
  profiles.last_fall = 0.02;
  EXPECT_EQ(descent_accuracy(profiles, 0), 0.02);
}

}  // namespace
}  // namespace greybox::test
