#include "analysis/run/input_points.hpp"

#include <gtest/gtest.h>

#include "analysis/trained_toy.hpp"
#include "greybox/estimate.hpp"
#include "support/paths.hpp"

namespace greybox::test {
namespace {

class InputPoints : public TrainedToy {
 protected:
  std::string refused(const Points& points) {
    return refusal([&] { table_of_points(Model::read(path("model.toml")).spec(), points); });
  }
};

TEST_F(InputPoints, AreAllCombinations) {
  const std::string text = bytes_of(model("epochs = 1"));
  std::string with_z = text;
  with_z.replace(with_z.find("a * sin(x + c)"), 14, "a * sin(x * z + c)");
  const Model model = Model::read(write("z.toml", with_z));
  const DataTable table = *table_of_points(model.spec(), {{{"x", 0, 1, 3}, {"z", 5, 6, 2}}});
  ASSERT_EQ(table.n_rows(), 6U);
  const double x[] = {0, 0, 0.5, 0.5, 1, 1}, z[] = {5, 6, 5, 6, 5, 6};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(table.find("x")->at(i), x[i]);
    EXPECT_EQ(table.find("z")->at(i), z[i]);
  }
  EXPECT_NE(table.find("y"), nullptr);
}

TEST_F(InputPoints, GiveAnEstimateWithoutErrors) {
  const Estimate report = estimate(trained(), {.regularizer = "normD", .on = Points{{{"x", -3, 3, 200}}}});
  EXPECT_EQ(report.n_windows, 200U);
  EXPECT_EQ(report.on, "x=-3:3:200");
  EXPECT_NEAR(report.theta.at("a"), 1.4, 0.2);
  EXPECT_TRUE(has(to_json(report), "\"L\":null")) << to_json(report);
}

TEST_F(InputPoints, MistakesAreRefused) {
  model("epochs = 1");
  EXPECT_TRUE(has(refused({{{"x", 1, 0, 3}}}), "at least 2 points"));
  EXPECT_TRUE(has(refused({{{"x", 0, 1, 1}}}), "at least 2 points"));
  EXPECT_TRUE(has(refused({{{"x", 0, 1, 3}, {"x", 0, 1, 3}}}), "given twice"));
  EXPECT_TRUE(has(refused({{{"xx", 0, 1, 3}}}), "it reads x"));
  EXPECT_TRUE(has(refused({}), "the model also reads `x`"));
  EXPECT_TRUE(has(refused({{{"x", 0, 1, 2000000}}}), "more than 1000000 points"));
  const std::filesystem::path pendulum =
      std::filesystem::path(kSourceFolder) / "tests/fixtures/pendulum/model.toml";
  const Points points{{{"x", 0, 1, 3}}};
  EXPECT_TRUE(has(refusal([&] { table_of_points(Model::read(pendulum).spec(), points); }), "[state]"));
}

}  // namespace
}  // namespace greybox::test
