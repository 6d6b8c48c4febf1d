// `greybox new`, from outside.
#include "apps/run_tool.hpp"

namespace greybox::test {
namespace {

class New : public ToolTest {};

TEST_F(New, WritesAModelThatChecks) {
  std::string text = "Time,x\n";
  for (int i = 0; i < 50; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  write("flow.csv", text);
  EXPECT_TRUE(expect_done({"new", "flow.csv"}).starts_with("flow.toml\n"));
  const std::string checked = expect_done({"check", "flow.toml"});
  EXPECT_NE(checked.find("time `Time`: 0 to 49, steps of 1"), std::string::npos) << checked;
  EXPECT_NE(checked.find("Before training\n"), std::string::npos) << checked;
  expect_wrong_input({"new", "flow.csv"}, "flow.toml: error: this file is already there");
  expect_done({"new", "flow.csv", "--template", "logistic", "--force"});
  expect_wrong_input({"new", "flow.csv", "--template", "logistik", "-o", "other.toml"},
                     "--template: error: there is no template `logistik`");
}

}  // namespace
}  // namespace greybox::test
