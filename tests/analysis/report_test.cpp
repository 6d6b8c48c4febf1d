#include "greybox/report.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/page/report_parts.hpp"
#include "analysis/trained_toy.hpp"

namespace greybox::test {
namespace {

class ReportOf : public TrainedToy {
 protected:
  Json gathered(const std::vector<std::string>& regularizers = {}, double highest_a = 2) {
    ReportOptions options;
    options.execution.n_threads = 1;
    options.vary = {{"a", 0, highest_a, 5}, {"c", -3, 3, 4}};
    options.regularizers = regularizers;
    return Json::parse(make_report(Run::open(path("run")), options).data);
  }
  static std::size_t n_numbers(const Json& packed) {
    const std::string text = packed.at("f32");
    const auto n_filling = static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
    return (text.size() / 4 * 3 - n_filling) / 4;
  }
};

TEST(MeanTerms, AreFoundOnceHoweverTheyAreSpaced) {
  const ModelSpec spec = parse_model_spec(R"toml(name = "m"
[parameters]
a = { prior = "uniform", low = 0, high = 1 }
[theory]
y = "a * x"
[network.fD]
kind = "mlp"
inputs = ["x", "a"]
hidden = [4]
outputs = ["y"]
[regularizers]
normD = "mean(norm2(network))"
more  = "normD + abs(mean( norm2( network ) ) - mean(a * network.y))"
[data]
file = "m.csv"
)toml",
                                          "m.toml");
  const std::vector<std::string> terms = mean_terms(spec, {"mean(abs(network.y)) + a", "not an ("});
  const std::vector<std::string> expected = {"mean(norm2(network))", "mean(a * network.y)",
                                             "mean(abs(network.y))", "mean(norm2(theory))",
                                             "mean(dot(theory, network))"};
  EXPECT_EQ(terms, expected);
}

TEST_F(ReportOf, ARunHoldsWhatThePageShows) {
  trained();
  const Json json = gathered({"mean(abs(network.y)) + a^2"});
  EXPECT_EQ(json.at("model").at("parameters").size(), 2U);
  EXPECT_EQ(json.at("regularizers").back().at("name"), "mean(abs(network.y)) + a^2");
  const Json& grid = json.at("grids").at(0);
  EXPECT_EQ(grid.at("axes").at(0).at("values").size(), 5U);
  const Json& network = grid.at("networks").at(0);
  ASSERT_EQ(network.at("terms").size(), grid.at("terms").size());
  for (const Json& term : network.at("terms")) EXPECT_EQ(n_numbers(term), 20U);
  EXPECT_EQ(n_numbers(network.at("loss")), 20U);
  EXPECT_EQ(n_numbers(json.at("training").at("curves").at("L")), 300U);
  const Json& predictions = json.at("predictions");
  EXPECT_EQ(predictions.at("kind"), "points");
  EXPECT_EQ(n_numbers(predictions.at("outputs").at(0).at("predicted")),
            json.at("data").at("windows").at("test").get<std::size_t>());
  EXPECT_TRUE(json.at("posterior").is_null());
  for (const Json& verdict : json.at("verdicts")) EXPECT_NE(verdict.at("regularizer"), "mean(norm2(theory))");
  EXPECT_GE(json.at("verdicts").size(), 2 * json.at("regularizers").size());
  EXPECT_EQ(json.at("provenance").at("seed"), 0);
}

TEST_F(ReportOf, TheLastEstimateIsWhatPredictionsAreShownAt) {
  trained();
  EXPECT_TRUE(has(gathered().at("predictions").at("why"), "is lowest"));
  std::ofstream(path("run") / "estimates.json")
      << R"([{"theta": {"a": 1, "c": 0}, "regularizer": "corr"}, {"theta": {"a": 0.5, "c": 2}, "regularizer": "normD"}])";
  const Json predictions = gathered().at("predictions");
  EXPECT_EQ(predictions.at("why"), "the estimate under normD");
  EXPECT_EQ(predictions.at("theta").at("c"), 2);
}

TEST_F(ReportOf, WrongInputIsRefused) {
  trained();
  EXPECT_TRUE(has(refusal([&] { gathered({"normd"}); }), "did you mean `normD`?"));
  EXPECT_TRUE(has(refusal([&] { gathered({}, 7); }), "outside its bounds"));
  std::ofstream(path("run") / "estimates.json") << "{";
  EXPECT_TRUE(has(refusal([&] { gathered(); }), "estimates.json"));
}

}  // namespace
}  // namespace greybox::test
