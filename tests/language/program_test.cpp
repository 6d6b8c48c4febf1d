// Compiling graphs to programs, and running them in frames.
#include "language/program.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/limits.hpp"
#include "language/program_runner.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

using enum Operation;

class ProgramTest : public testing::Test {
 protected:
  Graph graph;
  const NodeId x = graph.leaf({.id = 0});
  const NodeId y = graph.leaf({.id = 1});
  const NodeId u = graph.leaf({.id = 2, .shape = Shape::field});

  NodeId number(double value) { return graph.constant(value); }
  Program compile(std::initializer_list<NodeId> inputs, std::initializer_list<NodeId> outputs,
                  const Grid& grid = {}, std::initializer_list<Deadline> deadlines = {}) {
    return Program(graph, std::span(inputs.begin(), inputs.size()),
                   std::span(outputs.begin(), outputs.size()), grid,
                   std::span(deadlines.begin(), deadlines.size()));
  }
};

TEST_F(ProgramTest, PutsInputsThenConstantsThenResultsInRegisters) {
  const NodeId sum = graph.apply(add, {graph.apply(multiply, {x, number(2)}), y});
  const Program program = compile({x, y}, {sum});
  EXPECT_EQ(program.n_inputs(), 2u);
  EXPECT_EQ(program.n_registers(), 5u);
  ASSERT_EQ(program.constants().size(), 1u);
  EXPECT_EQ(program.constants()[0].where, 2);
  EXPECT_EQ(program.constants()[0].value, 2);
  EXPECT_EQ(program.output(0), 4);
  ASSERT_EQ(program.section(0).size(), 2u);
  EXPECT_EQ(program.section(0)[0].operation, multiply);
  EXPECT_EQ(program.section(0)[1].operation, add);
}

TEST_F(ProgramTest, ComputesOnlyWhatIsNeededAndOnlyOnce) {
  const NodeId shared = graph.apply(sin, {x});
  graph.apply(cos, {x});
  const NodeId product = graph.apply(multiply, {shared, graph.apply(exp, {graph.apply(sin, {x})})});
  EXPECT_EQ(compile({x}, {product}).section(0).size(), 3u);
}

TEST_F(ProgramTest, TakesValuesComputedElsewhereAsInputs) {
  const NodeId inner = graph.apply(sin, {x});
  const Program program = compile({inner}, {graph.apply(square, {inner})});
  EXPECT_EQ(program.section(0).size(), 1u);
  Runner<double> runner(program, 1);
  runner.input(0)[0] = 3;
  runner.forward();
  EXPECT_EQ(runner.output()[0], 9);
}

TEST_F(ProgramTest, ComputesEverythingAsLateAsItCan) {
  const NodeId network = graph.leaf({.id = 3, .section = 1});
  const NodeId last = graph.leaf({.id = 4, .section = 3});
  const NodeId late = graph.apply(add, {network, graph.apply(sin, {last})});
  const NodeId shared = graph.apply(exp, {x});
  const NodeId early = graph.apply(multiply, {shared, network}), also_late = graph.apply(cos, {shared});
  const Program program = compile({x, network, last}, {late, early, also_late}, {}, {{early, 1}});
  ASSERT_EQ(program.n_sections(), 4u);
  EXPECT_TRUE(program.section(0).empty());
  ASSERT_EQ(program.section(1).size(), 2u);
  EXPECT_EQ(program.section(1)[0].operation, exp);
  EXPECT_EQ(program.section(1)[1].operation, multiply);
  EXPECT_TRUE(program.section(2).empty());
  EXPECT_EQ(program.section(3).size(), 3u);
}

TEST_F(ProgramTest, HasAtLeastOneSection) {
  EXPECT_EQ(compile({x}, {x}).n_sections(), 1u);
  EXPECT_EQ(compile({}, {}).n_sections(), 1u);
  const NodeId network = graph.leaf({.id = 3, .section = 2});
  EXPECT_EQ(compile({network}, {network}).n_sections(), 3u);
}

TEST_F(ProgramTest, RunsSectionsOneAfterTheOther) {
  const NodeId network = graph.leaf({.id = 3, .section = 1});
  const NodeId before = graph.apply(square, {x});
  const NodeId after = graph.apply(multiply, {before, network});
  const Program program = compile({x, network}, {after, before}, {}, {{before, 0}});
  Runner<double> runner(program, 1);
  runner.input(0)[0] = 3;
  runner.frame().forward(0, 1);
  EXPECT_EQ(runner.output(1)[0], 9);
  runner.input(1)[0] = runner.output(1)[0] + 1;  // what a network would do in between
  runner.frame().forward(1, 1);
  EXPECT_EQ(runner.output(0)[0], 90);

  runner.frame().clear_gradients();
  runner.output_gradient(0)[0] += 1;
  runner.frame().reverse(1, 1);
  EXPECT_EQ(runner.input_gradient(1)[0], 9);
  runner.output_gradient(1)[0] += runner.input_gradient(1)[0];
  runner.frame().reverse(0, 1);
  EXPECT_EQ(runner.input_gradient(0)[0], (10 + 9) * 2 * 3);
}

TEST_F(ProgramTest, OutputsMayBeInputsAndConstants) {
  const Program program = compile({x, y}, {x, number(7), y});
  Runner<float> runner(program, 5);
  Frame<float>& frame = runner.frame();
  frame.bind(1, runner.input(1).data());
  frame.forward(0, 5);
  frame.tangent_forward(0, 5);
  EXPECT_EQ(runner.output(0).data(), runner.input(0).data());
  for (float value : runner.output(1)) EXPECT_EQ(value, 7);
  frame.clear_gradients();
  for (std::size_t i = 0; i < 3; ++i) runner.output_gradient(i)[4] += 1;
  frame.reverse(0, 5);
  EXPECT_EQ(runner.input_gradient(0)[4], 1);
  EXPECT_EQ(runner.output_tangent(1)[4], 0);
  EXPECT_EQ(runner.output_tangent(2)[4], 0);
}

TEST_F(ProgramTest, FramesMayShareMemoryInTurn) {
  const Program program = compile({x}, {graph.apply(multiply, {x, number(3)})});
  FrameMemory<double> one(program, 2), another(program, 2);
  Frame<double> first(program, one), second(program, one);
  AlignedBuffer<double> values(padded<double>(4));
  values[0] = 2;
  values[2] = 5;
  first.bind(0, values.data());
  second.bind(0, values.data() + 2);
  first.forward(0, 1);
  EXPECT_EQ(first.value(program.output(0))[0], 6);
  second.forward(0, 1);
  EXPECT_EQ(first.value(program.output(0)), second.value(program.output(0)));
  EXPECT_EQ(second.value(program.output(0))[0], 15);
  first.move_to(another);
  first.forward(0, 1);
  EXPECT_EQ(first.value(program.output(0))[0], 6);
  EXPECT_EQ(second.value(program.output(0))[0], 15);
}

TEST_F(ProgramTest, InputsMayMoveBetweenCalls) {
  const Program program = compile({x}, {graph.apply(square, {x})});
  Frame<double> frame(program, 1);
  AlignedBuffer<double> first(8), second(8), gradient(8);
  first[0] = 2;
  second[0] = 3;
  frame.bind(0, first.data());
  frame.forward(0, 1);
  EXPECT_EQ(frame.value(program.output(0))[0], 4);
  frame.bind(0, second.data(), gradient.data());
  frame.forward(0, 1);
  EXPECT_EQ(frame.value(program.output(0))[0], 9);
  frame.clear_gradients();
  frame.gradient(program.output(0))[0] += 1;
  frame.reverse(0, 1);
  EXPECT_EQ(gradient[0], 6);
}

TEST_F(ProgramTest, AFrameCanBeMoved) {
  const Program program = compile({x}, {graph.apply(multiply, {x, number(2)})});
  Frame<double> frame(program, 1);
  AlignedBuffer<double> value(8);
  value[0] = 21;
  frame.bind(0, value.data());
  Frame<double> moved = std::move(frame);
  moved.forward(0, 1);
  EXPECT_EQ(moved.value(program.output(0))[0], 42);
}

TEST_F(ProgramTest, GradientsAreAddedToWhatIsThereAndClearedBetweenSweeps) {
  const Program program = compile({x}, {graph.apply(exp, {graph.apply(square, {x})})});
  Runner<double> runner(program, 1);
  const double one = 1;
  runner.forward();
  runner.reverse(std::span(&one, 1));
  runner.input(0)[0] = 1;
  runner.forward();
  runner.reverse(std::span(&one, 1));
  EXPECT_DOUBLE_EQ(runner.input_gradient(0)[0], 2 * std::exp(1.0));
  runner.frame().clear_gradients();
  runner.output_gradient()[0] = 1;
  runner.frame().reverse(0, 1);
  EXPECT_DOUBLE_EQ(runner.input_gradient(0)[0], 4 * std::exp(1.0));
}

// Scalars, fields, shared values and reductions together.
TEST_F(ProgramTest, DifferentiatesACompositeModel) {
  const NodeId reaction = graph.apply(multiply, {x, graph.apply(sin, {u})});
  const NodeId diffusion = graph.apply(multiply, {graph.apply(exp, {y}), graph.apply(laplacian, {u})});
  const NodeId rate = graph.apply(add, {reaction, diffusion});
  const NodeId energy = graph.apply(grid_sum, {graph.apply(square, {rate})});
  const Program program =
      compile({x, y, u}, {graph.apply(tanh, {graph.apply(divide, {energy, number(500)})})},
              {3, 5, 0.7, 0.9, Boundary::no_flux, 0});
  for (std::size_t n : {1, 3, 7}) {
    Runner<double> runner(program, n);
    for (std::uint32_t i = 0; i < 3; ++i) fill_random(runner.input(i), -1, 1, i);
    std::vector<double> seed(n);
    fill_random(std::span(seed), -1, 1, 5);
    runner.forward();
    runner.reverse(seed);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::vector<double> gradient(runner.input_gradient(i).begin(), runner.input_gradient(i).end());
      expect_gradient("input " + std::to_string(i), runner.input(i), gradient, [&] {
        runner.forward();
        return dot(std::span(seed), runner.output());
      });
    }
  }
}

// where(x > 0, √x, 0) and where(x > 0, log x, 0): the branch not taken is infinite or NaN.
TEST_F(ProgramTest, BranchesNotChosenDoNotPoisonDerivatives) {
  const NodeId is_positive = graph.apply(greater, {x, number(0)});
  for (Operation operation : {sqrt, log}) {
    const Program program =
        compile({x}, {graph.apply(where, {is_positive, graph.apply(operation, {x}), number(0)})});
    Runner<double> runner(program, 3);
    const double points[] = {0, -1, 4};
    std::ranges::copy(points, runner.input(0).begin());
    std::ranges::fill(runner.input_tangent(0), 1.0);
    runner.forward();
    runner.tangent();
    const std::vector<double> seed(3, 1);
    runner.reverse(seed);
    for (std::size_t s = 0; s < 3; ++s) {
      EXPECT_EQ(runner.input_gradient(0)[s], s < 2 ? 0 : 0.25);
      EXPECT_EQ(runner.output_tangent()[s], s < 2 ? 0 : 0.25);
    }
  }
}

TEST_F(ProgramTest, AConstantExponentAllowsNegativeBases) {
  const Program program = compile({x}, {graph.apply(power, {x, number(9)})});
  Runner<double> runner(program, 1);
  runner.input(0)[0] = -1;
  runner.input_tangent(0)[0] = 1;
  runner.forward();
  runner.tangent();
  const double one = 1;
  runner.reverse(std::span(&one, 1));
  EXPECT_EQ(runner.output()[0], -1);
  EXPECT_EQ(runner.input_gradient(0)[0], 9);
  EXPECT_EQ(runner.output_tangent()[0], 9);
}

TEST_F(ProgramTest, NotANumberAndInfinityAreReported) {
  const Program program =
      compile({x}, {graph.apply(multiply, {x, number(0)}), graph.apply(clamp, {x, number(-1), number(1)})});
  Runner<float> runner(program, 2);
  runner.input(0)[0] = std::numeric_limits<float>::quiet_NaN();
  runner.input(0)[1] = static_cast<float>(kInfinity);
  runner.forward();
  EXPECT_TRUE(std::isnan(runner.output(0)[0]));
  EXPECT_TRUE(std::isnan(runner.output(0)[1]));
  EXPECT_TRUE(std::isnan(runner.output(1)[0]));
  EXPECT_EQ(runner.output(1)[1], 1);
}

// A sample's numbers must not depend on what stands beside it or on where it stands.
TEST_F(ProgramTest, SamplesDoNotInfluenceEachOther) {
  const Program program =
      compile({x}, {graph.apply(log, {graph.apply(add, {graph.apply(sin, {x}), number(1.5)})})});
  Runner<float> many(program, 37), one(program, 1);
  fill_random(many.input(0), -10, 10, 1);
  many.input(0)[5] = 1e30f;
  many.input(0)[6] = std::numeric_limits<float>::quiet_NaN();
  many.forward();
  for (std::size_t s = 0; s < 37; ++s) {
    if (s == 6) continue;
    one.input(0)[0] = many.input(0)[s];
    one.forward();
    EXPECT_EQ(one.output()[0], many.output()[s]) << s;
  }
}

TEST_F(ProgramTest, RunsFewerSamplesThanItHasRoomFor) {
  const Program program = compile({u}, {graph.apply(grid_sum, {graph.apply(dx, {u})})}, {2, 3});
  Runner<double> runner(program, 4);
  fill_random(runner.input(0), -1, 1, 1);
  runner.forward();
  const std::vector<double> all(runner.output().begin(), runner.output().end());
  std::ranges::fill(runner.output(), -1.0);
  runner.frame().forward(0, 2);
  EXPECT_EQ(runner.output()[0], all[0]);
  EXPECT_EQ(runner.output()[1], all[1]);
}

}  // namespace
}  // namespace greybox::test
