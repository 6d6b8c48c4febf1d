// Golden messages about options of a training: NAME.json has the fields of TrainOptions.
#include <nlohmann/json.hpp>

#include "cases/golden_cases.hpp"
#include "support/paths.hpp"
#include "train/toy_training.hpp"

namespace greybox::test {
namespace {

class TrainMessages : public ToyTraining {
 protected:
  TrainOptions options_of(const nlohmann::json& json) const {
    TrainOptions options;
    if (json.contains("mode")) options.mode = train_mode(json["mode"]);
    if (json.contains("lambda")) options.lambda = json["lambda"];
    if (json.contains("regularizer")) options.regularizer = json["regularizer"];
    if (json.contains("epochs")) options.epochs = json["epochs"];
    if (json.contains("batch")) options.batch = json["batch"];
    if (json.contains("seed")) options.seed = json["seed"];
    options.theta = json.value("theta", Theta{});
    if (json.contains("folder")) options.folder = path(json["folder"]);
    options.resume = json.value("resume", false);
    return options;
  }
  std::string message_of(const std::filesystem::path& file) const {
    try {
      train_toy(options_of(nlohmann::json::parse(read_text(file))));
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string folder = path("").string();
      for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
        text.erase(at, folder.size());
      return text;
    }
    ADD_FAILURE() << file << " was accepted";
    return "";
  }
};

TEST_F(TrainMessages, GoldenCases) {
  train_toy(options("finished"));
  interrupt(options("interrupted"), 2);
  const std::filesystem::path folder = std::filesystem::path(kSourceFolder) / "tests/cases/train";
  ASSERT_GE(case_files(folder, ".json").size(), 10U);
  expect_golden_cases(
      folder, [&](const std::filesystem::path& file) { return message_of(file); }, ".json");
}

}  // namespace
}  // namespace greybox::test
