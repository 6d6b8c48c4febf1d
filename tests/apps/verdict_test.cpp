// Verdicts as a user sees them.
#include "apps/run_tool.hpp"

namespace greybox::test {
namespace {

class Verdicts : public ToolTest {};

TEST_F(Verdicts, StandInTheDemoAndInEveryLandscape) {
  const ToolResult demo = greybox({"demo", "-o", "demo"});
  EXPECT_EQ(demo.exit_code, 0) << demo.err;
  EXPECT_NE(demo.out.find("a: identifiable under normD"), std::string::npos) << demo.out;
  EXPECT_NE(demo.out.find("c: flat under corr"), std::string::npos);
  const std::string said = expect_done({"landscape", "demo/run"});
  EXPECT_NE(said.find("What can be trusted"), std::string::npos) << said;
  EXPECT_NE(said.find("c: the regularizers disagree"), std::string::npos) << said;
  const auto json = expect_json({"landscape", "demo/run", "--json"});
  EXPECT_GE(json.at("verdicts").size(), 10U);
  EXPECT_TRUE(json.at("combinations").is_array());
}

TEST_F(Verdicts, CanBeLeftOut) {
  ASSERT_EQ(greybox({"demo", "-o", "demo"}).exit_code, 0);
  const std::string said = expect_done({"landscape", "demo/run", "--no-verdicts"});
  EXPECT_EQ(said.find("What can be trusted"), std::string::npos) << said;
  EXPECT_FALSE(expect_json({"landscape", "demo/run", "--no-verdicts", "--json"}).contains("verdicts"));
}

}  // namespace
}  // namespace greybox::test
