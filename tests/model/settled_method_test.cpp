// `method = "auto"`: what is chosen, that it is chosen once, and that stiff methods compute in double.
#include "model/settled_method.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "model/loaded_model.hpp"

namespace greybox::test {
namespace {

std::shared_ptr<const DataTable> table_of_decay() {
  auto table = std::make_shared<DataTable>();
  table->file = "decay.csv";
  std::vector<double> x;
  for (std::size_t s = 0; s < 4; ++s) {
    table->series.push_back({"s" + std::to_string(s), table->time.size(), 6});
    for (std::size_t k = 0; k < 6; ++k) {
      table->time.push_back(static_cast<double>(k));
      table->lines.push_back(0);
      x.push_back(1.0 / static_cast<double>(1 + k + s));
    }
  }
  table->columns.push_back({"x", 1, 1, std::move(x)});
  return table;
}

std::shared_ptr<const ModelSpec> spec_of_decay(const std::string& theory, const std::string& rest = "") {
  return std::make_shared<const ModelSpec>(parse_model_spec(
      "[data]\nfile = \"decay.csv\"\n[parameters]\nk = { prior = \"uniform\", low = 1, high = 2 }\n"
      "[state]\nx = \"x\"\ny = \"0\"\n[theory]\nx = \"-k * x\"\ny = \"" +
          theory + "\"\n[observe]\nx = \"x\"\n[solver]\nmethod = \"auto\"\n" + rest,
      "decay.toml"));
}

TEST(SettledMethod, IsExplicitWhereTheTheoryIsNotStiff) {
  const LoadedModel loaded = assemble(spec_of_decay("x - y"), table_of_decay());
  EXPECT_EQ(loaded.spec->solver.options.tableau, find_tableau("tsit5")) << loaded.spec->solver.reason;
  EXPECT_TRUE(loaded.spec->solver.reason.starts_with("the theory is not stiff"))
      << loaded.spec->solver.reason;
  EXPECT_FALSE(loaded.plan->linearized());
}

TEST(SettledMethod, IsImplicitWhereItIs) {
  for (const char* theory : {"300 * (x - y)", "1e6 * (x - y)"}) {
    const LoadedModel loaded = assemble(spec_of_decay(theory), table_of_decay());
    EXPECT_EQ(loaded.spec->solver.options.tableau, find_tableau("kvaerno5")) << loaded.spec->solver.reason;
    EXPECT_TRUE(loaded.spec->solver.reason.starts_with("the theory is stiff")) << loaded.spec->solver.reason;
    EXPECT_EQ(loaded.model->spec, loaded.spec);
    EXPECT_TRUE(loaded.plan->linearized());
  }
}

TEST(SettledMethod, IsNotChosenAgain) {
  const auto chosen = with_method(spec_of_decay("x - y"), "kvaerno5");
  EXPECT_EQ(assemble(chosen, table_of_decay()).spec->solver.options.tableau, find_tableau("kvaerno5"));
  const LoadedModel once = assemble(spec_of_decay("300 * (x - y)"), table_of_decay());
  EXPECT_EQ(assemble(once.spec, table_of_decay()).spec, once.spec);
}

TEST(SettledMethod, ComputesInDouble) {
  EXPECT_EQ(spec_of_decay("x - y")->train.precision, Precision::double_);
  EXPECT_EQ(spec_of_decay("x - y", "[train]\nprecision = \"double\"\n")->train.precision, Precision::double_);
}

}  // namespace
std::shared_ptr<const ModelSpec> without_solver(const std::string& theory, const std::string& rest = "") {
  return std::make_shared<const ModelSpec>(parse_model_spec(
      "[data]\nfile = \"decay.csv\"\n[parameters]\nk = { prior = \"uniform\", low = 1, high = 2 }\n"
      "[state]\nx = \"x\"\ny = \"0\"\n[theory]\nx = \"-0.1 * k * x + 1e-3 * y\"\ny = \"" +
          theory + "\"\n[observe]\nx = \"x\"\n" + rest,
      "decay.toml"));
}

TEST(UnstatedMethod, IsTheDefaultWhereThatFollowsTheTheory) {
  const LoadedModel loaded = assemble(without_solver("0.5 * (x - y)"), table_of_decay());
  EXPECT_EQ(loaded.spec->solver.options.tableau, find_tableau("rk4"));
  EXPECT_FALSE(loaded.spec->solver.is_automatic);
  EXPECT_EQ(loaded.spec->train.precision, Precision::single_);
}

TEST(UnstatedMethod, IsChosenWhereTheDefaultLosesTrajectories) {
  const LoadedModel loaded = assemble(without_solver("1e4 * (x - y)"), table_of_decay());
  const SolverSpec& solver = loaded.spec->solver;
  EXPECT_EQ(solver.options.tableau, find_tableau("kvaerno5")) << solver.reason;
  EXPECT_TRUE(solver.is_automatic);
  EXPECT_TRUE(solver.reason.starts_with("no [solver] is given, and one step of rk4")) << solver.reason;
  EXPECT_EQ(loaded.spec->train.precision, Precision::double_);
  EXPECT_EQ(assemble(loaded.spec, table_of_decay()).spec, loaded.spec);
}

TEST(UnstatedMethod, IsLeftAloneWhereThePrecisionSaysSo) {
  const auto spec = without_solver("1e4 * (x - y)", "[train]\nprecision = \"float\"\n");
  EXPECT_EQ(assemble(spec, table_of_decay()).spec->solver.options.tableau, find_tableau("rk4"));
}

// Of a run: what its record names, and the default where it names none.
TEST(UnstatedMethod, OfARunIsWhatItWasTrainedWith) {
  const auto spec = without_solver("1e4 * (x - y)");
  EXPECT_EQ(assemble(with_method(spec, ""), table_of_decay()).spec->solver.options.tableau,
            find_tableau("rk4"));
  EXPECT_EQ(assemble(with_method(spec, "tsit5"), table_of_decay()).spec->solver.options.tableau,
            find_tableau("tsit5"));
}

}  // namespace greybox::test
