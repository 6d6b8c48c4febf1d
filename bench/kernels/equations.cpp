// Operations of the equation language on blocks of samples, forward and reverse.
#include "language/program.hpp"
#include "rate.hpp"

namespace greybox::bench {
namespace {

constexpr int kOperations = 32;

// A chain of one operation, each time with the same second argument, on range(0) samples.
struct Chain {
  Chain(const benchmark::State& state, Operation operation, bool is_binary)
      : n_samples(static_cast<std::size_t>(state.range(0))),
        graph(make_graph(operation, is_binary)),
        program(graph, leaves, outputs, Grid{}),
        frame(program, n_samples),
        value(padded<float>(n_samples)),
        gradient(padded<float>(n_samples)) {
    value.fill(0.7F);
    for (std::size_t i = 0; i < leaves.size(); ++i) frame.bind(i, value.data(), gradient.data());
  }

  Graph make_graph(Operation operation, bool is_binary) {
    Graph made;
    leaves = {made.leaf({.id = 0})};
    if (is_binary) leaves.push_back(made.leaf({.id = 1}));
    NodeId last = leaves[0];
    for (int i = 0; i < kOperations; ++i)
      last = is_binary ? made.apply(operation, {last, leaves[1]}) : made.apply(operation, {last});
    outputs = {last};
    return made;
  }

  std::size_t n_samples;
  std::vector<NodeId> leaves, outputs;
  Graph graph;
  Program program;
  Frame<float> frame;
  AlignedBuffer<float> value, gradient;
};

void report_per_value(benchmark::State& state, std::size_t n_samples) {
  state.SetItemsProcessed(state.iterations() * kOperations * static_cast<std::int64_t>(n_samples));
}

void equation_forward(benchmark::State& state, Operation operation, bool is_binary) {
  Chain chain(state, operation, is_binary);
  for (auto _ : state) chain.frame.forward(0, chain.n_samples);
  report_per_value(state, chain.n_samples);
}

void equation_reverse(benchmark::State& state, Operation operation, bool is_binary) {
  Chain chain(state, operation, is_binary);
  chain.frame.forward(0, chain.n_samples);
  for (auto _ : state) {
    chain.frame.clear_gradients();
    chain.frame.reverse(0, chain.n_samples);
  }
  report_per_value(state, chain.n_samples);
}

BENCHMARK_CAPTURE(equation_forward, multiply, Operation::multiply, true)->Arg(32)->Arg(1024);
BENCHMARK_CAPTURE(equation_reverse, multiply, Operation::multiply, true)->Arg(32)->Arg(1024);
BENCHMARK_CAPTURE(equation_forward, sin, Operation::sin, false)->Arg(32)->Arg(1024);
BENCHMARK_CAPTURE(equation_reverse, sin, Operation::sin, false)->Arg(32)->Arg(1024);
BENCHMARK_CAPTURE(equation_forward, sigmoid, Operation::sigmoid, false)->Arg(1024);

}  // namespace
}  // namespace greybox::bench
