// Binding: every mistake gets its message (golden cases), and names mean what they should.
#include <gtest/gtest.h>

#include "cases/golden_cases.hpp"
#include "model/bound_model.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const BoundModel> bind_text(const std::string& text, const std::string& path = "model.toml",
                                            const std::vector<ExtraRegularizer>& extra = {}) {
  const std::vector<std::string> columns = {"x", "v", "u", "y"};
  return bind_model(std::make_shared<const ModelSpec>(parse_model_spec(text, path)), &columns, extra);
}

std::string binding_message(const fs::path& file) {
  try {
    bind_text(read_text(file), file.filename().string());
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      EXPECT_FALSE(diagnostic.help.empty()) << error.what();
      EXPECT_GT(diagnostic.span.line, 0u) << error.what();
    }
    return error.what();
  }
  ADD_FAILURE() << file << " was accepted";
  return "";
}

TEST(Binder, GoldenCases) {
  const fs::path folder = fs::path(kSourceFolder) / "tests/cases/binding";
  ASSERT_GE(model_files(folder).size(), 50u);
  expect_golden_cases(folder, binding_message);
}

const std::string kModel = R"toml([data]
file = "d.csv"
[parameters]
k = { prior = "uniform", low = 0, high = 1 }
[define]
force = "-k * x"
[state]
x = "x"
v = "v"
[theory]
x = "v"
v = "force"
[network.hyper]
kind = "mlp"
inputs = ["k"]
hidden = [3]
outputs = ["scale"]
[network.fD]
kind = "mlp"
inputs = ["x", "v", "hyper.scale"]
hidden = [4]
outputs = ["v"]
[observe]
x = "x"
v = "v"
[regularizers]
normD = "mean(norm2(network))"
twice = "2 * mean(norm2(network)) + k^2"
[solver]
method = "rk4"
)toml";

TEST(Binder, KnowsHowOftenEachNetworkRuns) {
  const auto model = bind_text(kModel);
  EXPECT_EQ(model->networks[0].rate, Rate::sample);
  EXPECT_EQ(model->networks[1].rate, Rate::evaluation);
  EXPECT_GT(model->networks[1].section, model->networks[0].section);
}

TEST(Binder, AStateWithoutNetworkOutputHasNoCorrection) {
  const auto model = bind_text(kModel);
  EXPECT_EQ(model->graph[model->states[0].network].operation, Operation::constant);
  EXPECT_EQ(model->states[0].derivative, model->states[0].theory);
}

TEST(Binder, DistinctMeansAreTermsOnce) {
  const auto model = bind_text(kModel, "model.toml", {{"mine", "normD + mean(norm2(network)) + mean(x)"}});
  EXPECT_EQ(model->terms.size(), 3u);  // ‖f_D‖², k², x
  EXPECT_NE(model->find_regularizer("mine"), nullptr);
}

TEST(Binder, AnExpressionGivenAsOptionIsCheckedToo) {
  try {
    bind_text(kModel, "model.toml", {{"mine", "mean(norm2(netwerk))"}});
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("option `regularizer`:1:12"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("`network`"), std::string::npos) << error.what();
  }
}

TEST(Binder, AMisspeltRegularizerOfTheCommandLineIsRecognised) {
  try {
    bind_text(kModel, "model.toml", {{"nromD", "nromD"}});
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean `normD`"), std::string::npos) << error.what();
  }
}

TEST(Binder, WithoutDataAnyColumnIsBelieved) {
  const auto spec = std::make_shared<const ModelSpec>(parse_model_spec(kModel, "model.toml"));
  EXPECT_EQ(bind_model(spec, nullptr)->columns.size(), 2u);
}

}  // namespace
}  // namespace greybox::test
