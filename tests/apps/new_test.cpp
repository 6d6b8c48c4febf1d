// `greybox new`, from outside.
#include <fmt/format.h>

#include <cmath>

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

TEST_F(New, FindsTrajectoriesAndInputs) {
  std::string text = "batch,time [min],valve,torque,level\n";
  for (int batch = 0; batch < 6; ++batch)
    for (int i = 0; i < 40; ++i)
      text += fmt::format("b{},{},{:.3f},{:.4f},{:.4f}\n", batch, i, 1.37 * (i / 10) + 0.11 * batch,
                          std::sin(0.3 * i), std::cos(0.2 * i + batch));
  write("reactor.csv", text);
  expect_done({"new", "reactor.csv", "--inputs", "torque"});
  const std::string model = read_text(path("reactor.toml"));
  for (const char* line :
       {"series = \"batch\"", "valve = { equation = \"valve\", hold = \"previous\" }", "torque = \"torque\"",
        "[state]                             # initial values, from "
        "columns of a window's first row\nlevel = \"level\"\n\n"})
    EXPECT_NE(model.find(line), std::string::npos) << line << "\n" << model;
  expect_done({"check", "reactor.toml"});
  expect_wrong_input({"new", "reactor.csv", "--force", "--inputs", "tork"},
                     "--inputs: error: `reactor.csv` has no column `tork`");
}

}  // namespace
}  // namespace greybox::test
