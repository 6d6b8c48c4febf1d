// What residuals say: numbers against scipy's, and sentences about what is off.
#include "model/residual_report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <random>

#include "support/paths.hpp"

namespace greybox::test {
namespace {

// One variable, one window, one unit of time from step to step.
class Residuals : public ::testing::Test {
 protected:
  ResidualReport of(const std::vector<double>& residuals, const std::vector<double>& predicted = {}) {
    return of_windows({residuals}, predicted);
  }

  // The first is the longest.
  ResidualReport of_windows(const std::vector<std::vector<double>>& windows,
                            const std::vector<double>& predicted = {}) {
    BoundModel model;
    model.observed.push_back({.name = "prey", .column = 0, .value = 0});
    model.observed[0].noise = noise_;
    const std::size_t n = windows[0].size();
    Prediction prediction;
    prediction.n_windows = windows.size();
    prediction.n_steps = n;
    prediction.variables.push_back(
        {"prey", 1, 1, predicted.empty() ? std::vector<double>(windows.size() * n, 5) : predicted});
    prediction.data.push_back(prediction.variables[0]);
    for (std::size_t w = 0; w < windows.size(); ++w) {
      prediction.windows.push_back({std::to_string(w), -1, windows[w].size()});
      for (std::size_t k = 0; k < n; ++k) {
        prediction.time.push_back(static_cast<double>(k));
        prediction.data[0].values[w * n + k] += k < windows[w].size() ? windows[w][k] : std::nan("");
      }
    }
    return residual_report(model, 0, prediction, {});
  }

  std::vector<double> drawn(std::size_t n, double memory = 0) {
    std::normal_distribution<double> normal;
    std::vector<double> values(n);
    for (std::size_t k = 0; k < n; ++k) values[k] = normal(random_) + (k > 0 ? memory * values[k - 1] : 0);
    return values;
  }

  std::mt19937 random_{5};
  std::optional<BoundNoise> noise_;
};

TEST_F(Residuals, AreThoseOfScipy) {
  const std::string folder = std::string(kSourceFolder) + "/tests/fixtures/noise/";
  std::ifstream values(folder + "residuals.csv"), tests(folder + "residual_tests.csv");
  std::string line;
  std::vector<double> residuals;
  for (std::getline(values, line); std::getline(values, line);) residuals.push_back(std::stod(line));
  std::map<std::string, double> expected;
  for (std::getline(tests, line); std::getline(tests, line);)
    expected[line.substr(0, line.find(','))] = std::stod(line.substr(line.find(',') + 1));
  const ResidualReport report = of(residuals);
  EXPECT_NEAR(report.skewness, expected.at("skewness"), 1e-9);
  EXPECT_NEAR(report.excess_kurtosis, expected.at("excess_kurtosis"), 1e-9);
  EXPECT_NEAR(report.normality_p, expected.at("normality_p"), 1e-9);
  EXPECT_NEAR(report.independence_p, expected.at("independence_p"), 1e-9);
  EXPECT_NEAR(report.with_time, expected.at("with_time"), 1e-9);
  EXPECT_TRUE(std::isnan(report.with_prediction)) << "which is always the same";
}

// Long windows, which have more pairs, are predicted worse.
TEST_F(Residuals, AreNeverCorrelatedByMoreThanOne) {
  std::vector<std::vector<double>> windows;
  for (int w = 0; w < 8; ++w) windows.emplace_back(w < 4 ? 12 : 2, (w % 2 == 0 ? 1 : -1) * (w < 4 ? 1 : 0.1));
  const double r = of_windows(windows).autocorrelation;
  EXPECT_GT(r, 0.99);
  EXPECT_LE(r, 1 + 1e-12);
}

TEST_F(Residuals, OfAModelThatIsRightSayNothing) {
  EXPECT_TRUE(of(drawn(500)).findings.empty());
}

void expect_finding(const ResidualReport& report, const std::string& part) {
  for (const std::string& finding : report.findings)
    if (finding.find(part) != std::string::npos) return;
  ADD_FAILURE() << "nothing says " << part;
}

TEST_F(Residuals, SayWhatIsOff) {
  expect_finding(of(drawn(300, 0.7)), "residuals of prey are correlated from step to step");
  std::vector<double> shifted = drawn(300), drifting = drawn(300), outliers = drawn(300),
                      growing = drawn(300), rising(300);
  for (std::size_t k = 0; k < 300; ++k) {
    rising[k] = 1 + 0.1 * static_cast<double>(k % 100);
    shifted[k] += 0.5;
    drifting[k] += 0.01 * static_cast<double>(k);
    growing[k] *= rising[k];
    if (k % 50 == 7) outliers[k] *= 12;
  }
  expect_finding(of(shifted), "are not 0 on average");
  expect_finding(of(drifting), "drifts away");
  expect_finding(of(outliers), "heavier tails");
  expect_finding(of(growing, rising), "scatter more where the predicted value is high");
}

TEST_F(Residuals, AreStandardisedByTheirNoise) {
  noise_ = BoundNoise{.family = &family_of(NoiseKind::normal), .spread = 0.25};
  const ResidualReport report = of(drawn(300));
  EXPECT_TRUE(report.is_standardised);
  EXPECT_NEAR(report.sd, 4, 0.4);
  expect_finding(report, "times as much as [noise] says");
}

// Half of the windows of a sliding pair repeat the others' residuals.
TEST_F(Residuals, OfOverlappingWindowsCountOnce) {
  BoundModel model;
  model.observed.push_back({.name = "prey", .column = 0, .value = 0});
  Prediction prediction;
  prediction.n_windows = 4;
  prediction.n_steps = 10;
  for (double start : {0.0, 5.0, 10.0, 15.0}) {
    prediction.windows.push_back({"all", start, 10});
    for (std::size_t k = 1; k <= 10; ++k) prediction.time.push_back(start + static_cast<double>(k));
  }
  prediction.variables.push_back({"prey", 1, 1, std::vector<double>(40, 0)});
  prediction.data.push_back({"prey", 1, 1, drawn(40)});
  EXPECT_EQ(residual_report(model, 0, prediction, {}).n, 20U);
}

}  // namespace
}  // namespace greybox::test
