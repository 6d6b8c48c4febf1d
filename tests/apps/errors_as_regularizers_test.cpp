// `--regularizer` with L, rmse and nrmse, as the pages know them.
#include <cmath>

#include "apps/trained_run.hpp"

namespace greybox::test {
namespace {

class ErrorsAsRegularizers : public TrainedRun {
 protected:
  nlohmann::json estimate(const std::string& regularizer, const std::string& method = "grid") const {
    return expect_json({"estimate", "run", "--regularizer", regularizer, "--method", method, "--json"});
  }
};

TEST_F(ErrorsAsRegularizers, AreThoseOfPredict) {
  train_toy();
  const auto json =
      expect_json({"predict", "run", "--theta", "a=1,c=0.2", "--regularizer", "L", "--regularizer", "rmse",
                   "--regularizer", "nrmse", "--regularizer", "normD + 2*L", "--json"});
  const auto value = [&](const char* name) { return json["R"][name].get<double>(); };
  EXPECT_DOUBLE_EQ(value("L"), json["L"].get<double>());
  EXPECT_DOUBLE_EQ(value("rmse"), json["rmse"].get<double>());
  EXPECT_DOUBLE_EQ(value("nrmse"), json["nrmse"].get<double>());
  EXPECT_DOUBLE_EQ(value("normD + 2*L"), value("normD") + 2 * value("L"));
}

TEST_F(ErrorsAsRegularizers, AreMinimisedByEstimates) {
  train_toy();
  const auto best = estimate("L");
  EXPECT_DOUBLE_EQ(best["R"].get<double>(), best["L"].get<double>());
  EXPECT_DOUBLE_EQ(estimate("nrmse")["R"].get<double>(), best["nrmse"].get<double>());
  // The gradient leads to where a method without gradients ends.
  const std::string bowl = " + c^2 + (a - 1)^2";
  for (const std::string& text : {"L" + bowl, "normD + rmse" + bowl, "nrmse" + bowl}) {
    const double lowest = estimate(text, "bobyqa")["R"];
    EXPECT_NEAR(estimate(text, "lbfgs")["R"].get<double>(), lowest, 1e-6 * lowest) << text;
  }
}

TEST_F(ErrorsAsRegularizers, HaveLandscapesButNoVerdicts) {
  train_toy();
  const ToolResult result = greybox(
      {"landscape", "run", "--regularizer", "rmse", "--vary", "a=0:2:5", "--vary", "c=-3:3:5", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::size_t n_not_judged = 0;
  const auto json = nlohmann::json::parse(result.out);
  for (const auto& verdict : json["verdicts"]) {
    EXPECT_EQ(verdict["finding"] == "not judged", verdict["regularizer"] == "rmse") << verdict.dump();
    n_not_judged += verdict["finding"] == "not judged" ? 1 : 0;
  }
  EXPECT_EQ(n_not_judged, 2U);
}

TEST_F(ErrorsAsRegularizers, AreRefusedInTrainingsAndWhereTheyAreMistyped) {
  train_toy();
  expect_wrong_input({"train", "toy.toml", "-o", "other", "--regularizer", "normD + L"},
                     "not known to a training");
  expect_wrong_input({"estimate", "run", "--regularizer", "nmrse"}, "nrmse");
}

}  // namespace
}  // namespace greybox::test
