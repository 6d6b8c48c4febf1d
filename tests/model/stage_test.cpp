// Stages: what is computed, what is given, and in which order networks are called between.
#include "model/stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator_models.hpp"

namespace greybox::test {
namespace {

std::size_t network_named(const BoundModel& model, const std::string& name) {
  std::size_t n = 0;
  while (model.networks.at(n).spec->name != name) ++n;
  return n;
}

std::ptrdiff_t place_of_call(const Stage& stage, std::size_t network) {
  const auto is_it = [&](const Action& action) {
    return action.kind == Action::Kind::network && stage.calls()[action.index].network == network;
  };
  return std::find_if(stage.actions().begin(), stage.actions().end(), is_it) - stage.actions().begin();
}

TEST(Stage, GivesRootsAndNamesItsStates) {
  const MadeModel made(driven_oscillator(), 1);
  const BoundModel& model = *made.model;
  const std::size_t network = network_named(model, "fD");
  const Stage stage(model, Rate::evaluation, model.networks[network].inputs, {network});
  ASSERT_EQ(stage.calls().size(), 1U);
  EXPECT_EQ(stage.calls()[0].inputs.size(), model.networks[network].inputs.size());
  EXPECT_EQ(stage.calls()[0].outputs.size(), 2U);
  for (std::size_t i = 0; i < model.networks[network].inputs.size(); ++i)
    EXPECT_EQ(stage.root(i), stage.calls()[0].inputs[i]) << "roots and inputs are the same nodes";
  std::vector<std::size_t> states;
  for (const StateInput& input : stage.states()) states.push_back(input.state);
  std::ranges::sort(states);
  EXPECT_EQ(states, (std::vector<std::size_t>{0, 1}));
}

// Whatever depends on θ alone is given at an evaluation, and not computed there again.
TEST(Stage, ValuesOfALowerRateAreInputs) {
  const MadeModel made(driven_oscillator(), 1);
  const BoundModel& model = *made.model;
  const std::size_t network = network_named(model, "fD");
  const Stage stage(model, Rate::evaluation, {}, {network});
  std::size_t n_computed_before = 0;
  for (NodeId id : stage.inputs()) {
    const Node& node = model.graph[id];
    EXPECT_TRUE(node.operation == Operation::leaf || node.rate < Rate::evaluation);
    n_computed_before += node.operation != Operation::leaf ? 1 : 0;
  }
  EXPECT_GT(n_computed_before, 0U) << "sqrt(d + 1) is an input of the network";
}

TEST(Stage, OutputsOfNetworksCanBeFoundAlsoWhereNobodyReadsThem) {
  const MadeModel made(driven_oscillator(), 1);
  const BoundModel& model = *made.model;
  const std::size_t network = network_named(model, "fD");
  const Stage stage(model, Rate::evaluation, {}, {network});
  for (std::size_t o = 0; o < 2; ++o) {
    const auto found = stage.find(model.networks[network].outputs[o]);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, stage.calls()[0].outputs[o]);
  }
}

TEST(Stage, ANetworkIsCalledAfterWhatItReads) {
  const MadeModel made(driven_oscillator(R"(, "2 * first.z")", R"toml(
[network.first]
kind = "mlp"
inputs = ["x"]
hidden = [2]
activation = "tanh"
outputs = ["z"]
)toml"),
                       1);
  const BoundModel& model = *made.model;
  const std::size_t second = network_named(model, "fD"), first = network_named(model, "first");
  const Stage stage(model, Rate::evaluation, {}, {second, first});
  const std::ptrdiff_t begin = place_of_call(stage, first), end = place_of_call(stage, second);
  ASSERT_LT(begin, end);
  ASSERT_LT(end, std::ssize(stage.actions()));
  const auto is_section = [](const Action& action) { return action.kind == Action::Kind::section; };
  EXPECT_TRUE(std::any_of(stage.actions().begin() + begin, stage.actions().begin() + end, is_section))
      << "twice the output of the first is computed between";
  for (const Action& action : stage.actions()) EXPECT_FALSE(action.joins);
  EXPECT_TRUE(stage.forgets_at_joins());
}

TEST(Stage, BatchNormJoinsTheBlocks) {
  const MadeModel made(reaction_model({.norm = "batch"}), 2);
  const BoundModel& model = *made.model;
  const std::size_t conv = network_named(model, "conv");
  const Stage stage(model, Rate::evaluation, {}, {conv});
  std::vector<std::size_t> phases;
  std::size_t n_joins = 0;
  for (const Action& action : stage.actions()) {
    if (action.kind != Action::Kind::network) continue;
    phases.push_back(action.phase);
    n_joins += action.joins ? 1 : 0;
  }
  ASSERT_GT(phases.size(), 1U);
  for (std::size_t i = 0; i < phases.size(); ++i) EXPECT_EQ(phases[i], i);
  EXPECT_EQ(n_joins, phases.size() - 1) << "after every phase but the last";
}

}  // namespace
}  // namespace greybox::test
