// Golden messages of the analyses: NAME.json says which function is called, and with which options.
#include <nlohmann/json.hpp>

#include "analysis/trained_toy.hpp"
#include "cases/golden_cases.hpp"
#include "greybox/augment.hpp"
#include "greybox/compare.hpp"
#include "greybox/estimate.hpp"
#include "greybox/landscape.hpp"
#include "greybox/predict.hpp"
#include "greybox/sample.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

using Options = nlohmann::json;

void call_landscape(const Run& run, const Options& json) {
  LandscapeOptions options;
  for (const Options& axis : json.value("vary", Options::array()))
    options.vary.push_back(
        {axis[0], axis[1].get<double>(), axis[2].get<double>(), axis[3].get<std::size_t>()});
  options.regularizers = json.value("regularizers", std::vector<std::string>{});
  if (json.contains("window")) options.on = WindowIndex{json["window"]};
  const std::string reference = json.value("reference", "prior");
  if (reference == "estimate") options.reference = ReferencePoint::estimate;
  if (reference == "estimator") options.reference = ReferencePoint::estimator;
  options.seeds = json.value("seeds", std::size_t{1});
  landscape(run, options);
}

void call_estimate(const Run& run, const Options& json) {
  EstimateOptions options;
  options.regularizer = json["regularizer"];
  if (json.contains("rate")) options.rate = {json["rate"][0], json["rate"][1]};
  if (json.contains("starts")) options.starts = json["starts"];
  Points points;
  for (const Options& axis : json.value("points", Options::array()))
    points.axes.push_back({axis[0], axis[1], axis[2], axis[3]});
  if (!points.axes.empty()) options.on = points;
  options.amortised = json.value("amortised", false);
  estimate(run, options);
}

void call_sample(const Run& run, const Options& json) {
  SampleOptions options;
  options.regularizer = json["regularizer"];
  options.beta = json["beta"].get<double>();
  options.draws = json.value("draws", std::size_t{100});
  sample(run, options);
}

void call_compare(const Run& run, const Options& json) {
  CompareOptions options;
  options.trials = json.value("trials", std::size_t{2});
  options.lambdas = json.value("lambdas", std::vector<double>{0.1});
  options.regularizer = "normD";
  const std::vector<std::size_t> shard = json.value("shard", std::vector<std::size_t>{1, 1});
  options.shard = {shard[0], shard[1]};
  options.folder = json.value("folder", "");
  compare(run.model(), run.dataset().table(), options);
}

class AnalysisMessages : public TrainedToy {
 protected:
  void call(const Run& run, const Options& json) const {
    const std::string name = json["call"];
    if (name == "landscape") return call_landscape(run, json);
    if (name == "landscape of a shard") landscape(run, {.seeds = 3, .shard = {1, 2}});
    if (name == "estimate") return call_estimate(run, json);
    if (name == "sample") return call_sample(run, json);
    if (name == "compare") return call_compare(run, json);
    if (name == "predict") predict(run, {.theta = json.value("theta", Theta{})});
    if (name == "augment") augment(run);
  }
  std::string message_of(const Run& run, const std::filesystem::path& file) const {
    std::string text = refusal([&] { call(run, Options::parse(read_text(file))); });
    EXPECT_FALSE(text.empty()) << file << " was accepted";
    const std::string folder = path("").string();
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }
};

TEST_F(AnalysisMessages, GoldenCases) {
  const Run run = trained("epochs = 5\nbatch = 10");
  const std::filesystem::path folder = std::filesystem::path(kSourceFolder) / "tests/cases/analysis";
  ASSERT_GE(case_files(folder, ".json").size(), 15U);
  expect_golden_cases(
      folder, [&](const std::filesystem::path& file) { return message_of(run, file); }, ".json");
}

// No message of the library names a flag of the tool.
TEST_F(AnalysisMessages, NameNoFlags) {
  for (const char* layer : {"data", "train", "analysis"})
    for (const auto& file :
         case_files(std::filesystem::path(kSourceFolder) / "tests/cases" / layer, ".expected"))
      EXPECT_FALSE(has(read_text(file), "--")) << file;
}

}  // namespace
}  // namespace greybox::test
