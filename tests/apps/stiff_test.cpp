// Robertson's reaction from the model file to predictions: the solver is chosen, recorded and kept.
#include "apps/run_tool.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

namespace fs = std::filesystem;

class Stiff : public ToolTest {
 protected:
  void SetUp() override {
    for (const char* file : {"robertson.toml", "robertson.csv"})
      fs::copy_file(std::string(kSourceFolder) + "/examples/" + file, path(file));
  }
};

TEST_F(Stiff, ModelIsTrainedWithTheSolverThatItNeeds) {
  const std::string check = expect_done({"check", "robertson.toml"});
  EXPECT_NE(check.find("kvaerno5 (order 5, implicit)"), std::string::npos) << check;
  EXPECT_NE(check.find("method = \"auto\": the theory is stiff"), std::string::npos) << check;

  const ToolResult trained = greybox({"train", "robertson.toml", "-o", "run", "--epochs", "3"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE((trained.out + trained.err).find("method = \"auto\" took kvaerno5"), std::string::npos)
      << trained.out << trained.err;
  const auto record = nlohmann::json::parse(bytes_of(path("run/run.json")));
  EXPECT_EQ(record["method"], "kvaerno5");
  EXPECT_EQ(record["options"]["precision"], "double");

  const auto predicted =
      nlohmann::json::parse(greybox({"predict", "run", "--theta", "slow=0.04", "--json"}).out);
  EXPECT_GT(predicted["rmse"], 0);
  expect_wrong_input({"train", "robertson.toml", "-o", "other", "--precision", "float"},
                     "solvers of stiff equations compute in double precision");
}

// The theory lacks a reaction that is never negative and nothing without its educts: that leaves the other
// rate to the data.
TEST_F(Stiff, VerdictHoldsTheTrueRate) {
  EXPECT_EQ(greybox({"train", "robertson.toml", "-o", "run", "--seed", "1"}).exit_code, 0);
  const auto landscape = nlohmann::json::parse(greybox({"landscape", "run", "--json"}).out);
  for (const auto& verdict : landscape["verdicts"]) {
    EXPECT_TRUE(verdict["finding"] == "identifiable" || verdict["finding"] == "determined by the data")
        << verdict["sentence"];
    EXPECT_LT(verdict["interval"][0], 0.04);
    EXPECT_GT(verdict["interval"][1], 0.04);
  }
  EXPECT_FALSE(landscape["verdicts"].empty());
}

}  // namespace
}  // namespace greybox::test
