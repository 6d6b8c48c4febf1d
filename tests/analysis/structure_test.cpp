// The structural check on models whose answers are known.
#include <gtest/gtest.h>

#include <cmath>
#include <greybox/structure.hpp>
#include <nlohmann/json.hpp>

#include "analysis/structure/invariant.hpp"
#include "analysis/structure/null_space.hpp"
#include "analysis/structure/smooth_fit.hpp"

namespace greybox::test {
namespace {

using Names = std::vector<std::string>;

// 60 series of 8 snapshots, 0.1 apart, with smooth columns x, y and u; algebraic models have one row each.
Table made_table(bool is_algebraic) {
  std::vector<std::int64_t> series;
  std::vector<double> time, x, y, u;
  const std::size_t n_snapshots = is_algebraic ? 1 : 8;
  for (std::size_t s = 0; s < 60; ++s)
    for (std::size_t k = 0; k < n_snapshots; ++k) {
      const double a = static_cast<double>(s), b = static_cast<double>(k);
      series.push_back(static_cast<std::int64_t>(s));
      time.push_back(0.1 * b);
      x.push_back(1.2 + std::sin(2.3 * a) * std::exp(-0.1 * b));
      y.push_back(1.1 + 0.9 * std::cos(1.7 * a + 0.4) - 0.05 * b);
      u.push_back(std::sin(3.7 * a * a + 0.5 * b));
    }
  Table table;
  table.series(series).time(time).column("x", x).column("y", y).column("u", u);
  return table;
}

StructuralCheck checked(const std::string& parameters, const std::string& equations) {
  const bool is_algebraic = equations.find("[state]") == std::string::npos;
  const Model model = Model::parse(
      "[parameters]\n" + parameters + equations + "[regularizers]\nr = \"mean(norm2(network))\"\n",
      "made.toml");
  return structural_check(Dataset(model, made_table(is_algebraic)));
}

std::string uniform(const std::string& names) {
  std::string text;
  for (const char name : names)
    text += std::string(1, name) + " = { prior = \"uniform\", low = 0.5, high = 2 }\n";
  return text;
}

std::string algebraic(const std::string& theory, const std::string& seen = "\"x\", \"u\"") {
  return "[theory]\ny = \"" + theory + "\"\n[network.n]\ninputs = [" + seen +
         "]\nhidden = [4]\noutputs = [\"y\"]\n";
}

Names all_combinations(const StructuralCheck& structure) {
  Names all;
  for (const TiedParameters& tied : structure.theory.tied)
    all.insert(all.end(), tied.combinations.begin(), tied.combinations.end());
  return all;
}

struct NamedRidge {
  const char* theory;
  const char* combination;
};

class Ridge : public ::testing::TestWithParam<NamedRidge> {};

TEST_P(Ridge, HasItsName) {
  const StructuralCheck structure = checked(uniform("ab"), algebraic(GetParam().theory));
  EXPECT_EQ(all_combinations(structure), Names{GetParam().combination});
  EXPECT_EQ(structure.theory.determined, Names{});
  ASSERT_EQ(structure.theory.tied.size(), 1);
  EXPECT_EQ(structure.theory.tied[0].parameters, (Names{"a", "b"}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Ridge,
                         ::testing::Values(NamedRidge{"a*b*x", "a·b"}, NamedRidge{"(a + b)*x", "a + b"},
                                           NamedRidge{"(a + 2*b)*x", "a + 2·b"}, NamedRidge{"a/b*x", "a/b"},
                                           NamedRidge{"(a^2 + b^2)*x", "a^2 + b^2"},
                                           NamedRidge{"a*exp(b)*x", "a·exp(b)"},
                                           NamedRidge{"a^2*b*x", "a^2·b"},
                                           NamedRidge{"(2*a - 3*b)*x", "2·a - 3·b"},
                                           NamedRidge{"(b + exp(a))*x", "exp(a) + b"}));

TEST(StructuralCheck, AValleyWithoutASimpleNameHasNone) {
  const StructuralCheck structure = checked(uniform("ab"), algebraic("(a*b + sin(3*a))*x"));
  ASSERT_EQ(structure.theory.tied.size(), 1);
  EXPECT_EQ(structure.theory.tied[0].n_determined, 1);
  EXPECT_EQ(structure.theory.tied[0].combinations, Names{});
}

TEST(StructuralCheck, TellsDeterminedTiedAndIdleApart) {
  const StructuralCheck structure = checked(uniform("abcd"), algebraic("a*b*x + c*u + 0*d"));
  EXPECT_EQ(structure.theory.determined, Names{"c"});
  EXPECT_EQ(structure.theory.idle, Names{"d"});
  EXPECT_EQ(all_combinations(structure), Names{"a·b"});
  EXPECT_EQ(structure.theory.n_draws, 8);
  ASSERT_EQ(structure.theory.singular_values.size(), 4);
  EXPECT_GT(structure.theory.singular_values[1], 0.01);
  EXPECT_LT(structure.theory.singular_values[2], 1e-6 * structure.theory.singular_values[0]);
}

TEST(StructuralCheck, SeveralCombinationsOfOneGroup) {
  // Of a, b, c: ab and b + c, or anything made of them.
  const StructuralCheck structure = checked(uniform("abc"), algebraic("a*b*x + (b + c)*u"));
  ASSERT_EQ(structure.theory.tied.size(), 1);
  EXPECT_EQ(structure.theory.tied[0].n_determined, 2);
  EXPECT_EQ(structure.theory.tied[0].combinations, (Names{"a·b", "b + c"}));
}

// Known answers of the identifiability literature (theory alone, first states known).
TEST(StructuralCheck, ReportingRateOfAnEpidemicIsTiedToItsContactRate) {
  const StructuralCheck structure =
      checked(uniform("bgk"),
              "[state]\nx = \"x\"\ny = \"y\"\n[theory]\nx = \"-b*k*x*y\"\ny = \"b*k*x*y - "
              "g*y\"\n[observe]\nx = \"x\"\ny = \"y\"\n"
              "[network.n]\ninputs = [\"x\", \"y\"]\nhidden = [4]\noutputs = [\"x\", \"y\"]\n");
  EXPECT_EQ(structure.theory.determined, Names{"g"});
  EXPECT_EQ(all_combinations(structure), Names{"b·k"});
  EXPECT_EQ(structure.network.absorbed, (Names{"b", "g", "k"}));
}

TEST(StructuralCheck, MichaelisMentenWithAnUnknownScale) {
  // y' = -V c y / (K c + y): V c and K c.
  const StructuralCheck structure =
      checked(uniform("cKV"),
              "[state]\ny = \"y\"\n[theory]\ny = \"-V*c*y/(K*c + y)\"\n[observe]\ny = \"y\"\n"
              "[network.n]\ninputs = [\"y\"]\nhidden = [4]\noutputs = [\"y\"]\n");
  ASSERT_EQ(structure.theory.tied.size(), 1);
  EXPECT_EQ(structure.theory.tied[0].n_determined, 2);
  EXPECT_EQ(all_combinations(structure), (Names{"c·K", "c·V"}));
}

TEST(StructuralCheck, AHiddenStateWithoutLossLeavesOnlyAProduct) {
  // h' = a x, x' = -b h from h = 0: only a b acts on x.
  const StructuralCheck structure =
      checked(uniform("ab"),
              "[state]\nx = \"x\"\nh = \"0\"\n[theory]\nx = \"-b*h\"\nh = \"a*x\"\n[observe]\nx = \"x\"\n"
              "[network.n]\ninputs = [\"x\"]\nhidden = [4]\noutputs = [\"x\"]\n");
  EXPECT_EQ(all_combinations(structure), Names{"a·b"});
  // a acts on a state that is not observed, b together with it.
  EXPECT_EQ(structure.network.undecided, (Names{"a", "b"}));
}

TEST(StructuralCheck, AdaptiveSolversAreTestedToo) {
  const StructuralCheck structure = checked(
      uniform("ab"),
      "[state]\nx = \"x\"\n[theory]\nx = \"-a*b*x\"\n[observe]\nx = \"x\"\n[solver]\nmethod = \"dopri5\"\n"
      "[network.n]\ninputs = [\"x\"]\nhidden = [4]\noutputs = [\"x\"]\n");
  EXPECT_EQ(all_combinations(structure), Names{"a·b"});
}

// What the network sees decides what it can undo.
TEST(StructuralCheck, WhatTheNetworkDoesNotSeeIsKept) {
  const StructuralCheck structure = checked(uniform("ab"), algebraic("a*x + b*u", "\"u\""));
  EXPECT_EQ(structure.network.kept, Names{"a"});
  EXPECT_EQ(structure.network.absorbed, Names{"b"});
}

TEST(StructuralCheck, WhatTheNetworkDoesNotAddToIsKept) {
  const StructuralCheck structure =
      checked(uniform("ab"),
              "[state]\nx = \"x\"\ny = \"y\"\n[theory]\nx = \"-a*x\"\ny = \"x - b*y\"\n[observe]\nx = "
              "\"x\"\ny = \"y\"\n"
              "[network.n]\ninputs = [\"x\", \"y\"]\nhidden = [4]\noutputs = [\"y\"]\n");
  EXPECT_EQ(structure.network.kept, Names{"a"});
  EXPECT_EQ(structure.network.absorbed, Names{"b"});
}

TEST(StructuralCheck, NamesTheCombinationThatTheNetworkLeaves) {
  const StructuralCheck structure =
      checked(uniform("ab"),
              "[state]\nx = \"x\"\ny = \"y\"\n[theory]\nx = \"-(a + b)*x\"\ny = \"a*x - "
              "y\"\n[observe]\nx = \"x\"\ny = \"y\"\n"
              "[network.n]\ninputs = [\"x\", \"y\"]\nhidden = [4]\noutputs = [\"y\"]\n");
  EXPECT_EQ(structure.theory.determined, (Names{"a", "b"}));
  ASSERT_EQ(structure.network.tied.size(), 1);
  EXPECT_EQ(structure.network.tied[0].combinations, Names{"a + b"});
}

TEST(StructuralCheck, TheTheoryAsAnInputShowsTheNetworkEverything) {
  const StructuralCheck structure = checked(uniform("a"), algebraic("a*x", "\"u\", \"theory.y\""));
  EXPECT_EQ(structure.network.absorbed, Names{"a"});
}

TEST(StructuralCheck, FunctionsOfStatesAreSeenThrough) {
  const StructuralCheck structure = checked(uniform("a"), algebraic("a*sin(2*x)", "\"sin(x)\", \"cos(x)\""));
  EXPECT_EQ(structure.network.absorbed, Names{"a"});
}

TEST(StructuralCheck, AnEvenInputDoesNotShowTheSign) {
  const StructuralCheck structure = checked(uniform("a"), algebraic("a*u", "\"u^2\""));
  EXPECT_EQ(structure.network.kept, Names{"a"});
}

TEST(StructuralCheck, SaysWhyTheNetworkWasNotTested) {
  const StructuralCheck structure =
      checked(uniform("a"), algebraic("a*x") + "[composition]\ny = \"theory.y*exp(network.y)\"\n");
  EXPECT_EQ(structure.network.not_tested, "[composition] is not theory + network");
  EXPECT_EQ(structure.theory.determined, Names{"a"});
}

TEST(StructuralCheck, TrajectoriesThatExplodeSayNothing) {
  const StructuralCheck structure =
      checked("a = { prior = \"uniform\", low = 1e5, high = 1e6 }\n",
              "[state]\nx = \"x\"\n[theory]\nx = \"a*x^3\"\n[observe]\nx = \"x\"\n"
              "[network.n]\ninputs = [\"x\"]\nhidden = [4]\noutputs = [\"x\"]\n");
  EXPECT_EQ(structure.theory.n_draws, 0);
  EXPECT_EQ(structure.theory.determined, Names{});
  ASSERT_FALSE(structure.sentences.empty());
  EXPECT_NE(structure.sentences[0].find("no finite trajectories"), std::string::npos);
}

TEST(StructuralCheck, SentencesAndJson) {
  const StructuralCheck structure = checked(uniform("abc"), algebraic("a*b*x + c*u", "\"x\""));
  EXPECT_EQ(
      structure.sentences,
      (Names{"a and b: with the theory alone only a·b is determined; no data of this design tell them apart",
             "c: determined, if the theory alone were right",
             "a and b: the network can undo whatever they do; the data alone do not choose, only a "
             "regularizer does",
             "c: the network cannot undo what it does, so the data can speak, whatever the regularizer"}));
  const auto json = nlohmann::json::parse(to_json(structure));
  EXPECT_EQ(json["theory"]["tied"][0]["combinations"][0], "a·b");
  EXPECT_EQ(json["network"]["kept"][0], "c");
}

TEST(NullSpace, OfAKnownMatrix) {
  Eigen::MatrixXd matrix(4, 3);
  matrix << 1, 1, 0, 2, 2, 0, 3, 3, 1, 0, 0, 5;
  const NullSpace space = null_space(matrix, 1e-8);
  EXPECT_EQ(space.dimension, 1);
  EXPECT_NEAR(space.projection(0, 1), -0.5, 1e-12);
  EXPECT_NEAR(space.projection(2, 2), 0, 1e-12);
  EXPECT_EQ(tied_groups({space.projection}, 1e-4), (std::vector<std::vector<std::size_t>>{{0, 1}}));
  EXPECT_EQ(null_space(Eigen::MatrixXd::Zero(4, 3), 1e-8).dimension, 3);
}

TEST(SmoothFit, ExplainsFunctionsOfItsInputsAndNothingElse) {
  Eigen::MatrixXd inputs(150, 2), targets(150, 2);
  for (Eigen::Index i = 0; i < 150; ++i) {
    const double k = static_cast<double>(i);
    inputs.row(i) << std::sin(1.1 * k), std::cos(2.3 * k);
    targets.row(i) << std::sin(3 * inputs(i, 0)) * inputs(i, 1), std::sin(7.7 * k * k);
  }
  const Eigen::MatrixXd left = unexplained(inputs, targets);
  EXPECT_LT(left.col(0).norm(), 0.02 * targets.col(0).norm());
  EXPECT_GT(left.col(1).norm(), 0.8 * targets.col(1).norm());
}

}  // namespace
}  // namespace greybox::test
