// A program that extends the library from outside: a network kind and functions of the equation language, in
// a model that is read, checked, differentiated and trained. The contract of networks runs in this program
// too.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "extension/polynomial_network.hpp"
#include "language/elementwise_function.hpp"
#include "language/program_runner.hpp"
#include "language/syntax.hpp"
#include "model/engine_harness.hpp"
#include "model/keys.hpp"
#include "model/model_texts.hpp"

namespace greybox::test {
namespace {

// exp(-x²)
template <class T>
constexpr ElementwiseMath<T> kGauss = {
    .value = [](const T* x) { return std::exp(-x[0] * x[0]); },
    .partial = [](std::size_t, T y, const T* x) { return -2 * x[0] * y; },
};

// (1 - f) a + f b
template <class T>
constexpr ElementwiseMath<T> kMix = {
    .value = [](const T* x) { return x[0] + x[2] * (x[1] - x[0]); },
    .partial = [](std::size_t by, T,
                  const T* x) { return by == 0   ? 1 - x[2]
                                       : by == 1 ? x[2]
                                                 : x[1] - x[0]; },
};

ElementwiseFunction gauss() {
  return {.name = "gauss",
          .arity = 1,
          .about = "exp(-x^2)",
          .in_float = kGauss<float>,
          .in_double = kGauss<double>};
}

ElementwiseFunction mix() {
  return {.name = "mix",
          .arity = 3,
          .about = "mix(a, b, f) goes from a to b with f",
          .in_float = kMix<float>,
          .in_double = kMix<double>,
          .arguments = "a, b, f",
          .latex = "\\mathrm{mix}"};
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

struct Extensions {
  Operation gauss = register_function(test::gauss());
  Operation mix = register_function(test::mix());
  std::vector<std::string> refusals;

  Extensions() {
    register_network_kind(polynomial_kind());
    const auto refuse_kind = [&](auto change) {
      NetworkKind kind = polynomial_kind();
      change(kind);
      refusals.push_back(refusal([&] { register_network_kind(kind); }));
    };
    refuse_kind([](NetworkKind&) {});
    refuse_kind([](NetworkKind& kind) { kind.name = "p", kind.make_float = nullptr; });
    refuse_kind([](NetworkKind& kind) { kind.name = "p", kind.examples.clear(); });
    refuse_kind([](NetworkKind& kind) { kind.name = "p", kind.keys[1].info.name = "inputs"; });
    refuse_kind([](NetworkKind& kind) { kind.name = "p", kind.keys[1].info.fallback = "2"; });
    refusals.push_back(refusal([] { register_function(test::gauss()); }));
    for (const char* name : {"sin", "Gauss", "dot"})
      refusals.push_back(refusal([&] {
        ElementwiseFunction function = test::gauss();
        function.name = name;
        register_function(function);
      }));
  }
};

// Before main, as a library of extensions would do it: tests are made from the registry when main begins.
const Extensions extensions;

const std::string kOscillator = kParameters + R"toml(
[state]
x = "x"
v = "v"
[theory]
x = "v"
v = "-k * x * gauss(x) - mix(d, k, 0.25) * v"
[network.fD]
kind = "polynomial"
inputs = ["x", "v", "k", "gauss(theory.v)"]
degree = 3
gain = 0.5
outputs = ["x", "v"]
[observe]
x = "x"
v = "v"
)toml" + kRungeKutta + R"toml(
[regularizers]
size = "mean(norm2(network)) + 0.1 * gauss(mean(dot(theory, network)))"
[train]
regularizer = "size"
)toml";

TEST(Extension, DerivativesOfRegisteredFunctionsAreExact) {
  expect_model_gradients(kOscillator);
}

// On fields, next to a network of a built-in kind.
TEST(Extension, RegisteredFunctionsWorkOnFields) {
  expect_model_gradients(kParameters + R"toml(
[grid]
height = 3
width = 4
fields = ["u"]
[state]
u = "u"
[theory]
u = "k * laplacian(gauss(u)) - mix(u, d, u)"
[network.conv]
kind = "conv2d"
inputs = ["u", "gauss(k)"]
channels = [3]
activation = "tanh"
outputs = ["u"]
[observe]
u = "u"
[solver]
method = "midpoint"
[regularizers]
size = "mean(norm2(network))"
[train]
regularizer = "size"
)toml");
}

// Tangents against the gradients, which the models above check: t · ∇f = df(t).
template <class T>
void expect_tangents(Operation operation) {
  const std::size_t arity = static_cast<std::size_t>(info(operation).arity);
  for (std::size_t n : {1, 3, 17}) {
    const Program program = single_operation(operation);
    Runner<T> runner(program, n);
    for (std::size_t i = 0; i < arity; ++i)
      for (std::size_t s = 0; s < n; ++s) {
        runner.input(i)[s] =
            static_cast<T>(0.3 + 0.2 * static_cast<double>(i) - 0.05 * static_cast<double>(s));
        runner.input_tangent(i)[s] = static_cast<T>(1 + i);
      }
    runner.forward();
    runner.tangent();
    for (std::size_t s = 0; s < n; ++s) {
      T x[kLargestArity] = {}, sum{0};
      for (std::size_t i = 0; i < arity; ++i) x[i] = runner.input(i)[s];
      const ElementwiseMath<T>& math = registered_function(operation).math<T>();
      for (std::size_t i = 0; i < arity; ++i)
        sum += math.partial(i, math.value(x), x) * static_cast<T>(1 + i);
      EXPECT_EQ(runner.output()[s], math.value(x));
      EXPECT_EQ(runner.output_tangent()[s], sum);
    }
  }
}

TEST(Extension, TangentsFollowFromThePartials) {
  for (Operation operation : {extensions.gauss, extensions.mix}) {
    expect_tangents<float>(operation);
    expect_tangents<double>(operation);
  }
}

TEST(Extension, ConstantsAreFolded) {
  Graph graph;
  const NodeId node = graph.apply(extensions.gauss, {graph.constant(0.5)});
  EXPECT_EQ(graph[node].operation, Operation::constant);
  EXPECT_EQ(graph[node].value, std::exp(-0.25));
}

// Plain gradient descent on the weights.
TEST(Extension, AModelOfExtensionsLearns) {
  EngineHarness model(kOscillator, 6, 1, std::size_t{1} << 30);
  const double before = model.objective();
  for (int step = 0; step < 300; ++step) {
    model.differentiate();
    for (std::size_t w = 0; w < model.weights.size(); ++w) model.weights[w] -= 0.1 * model.grad_weights[w];
  }
  EXPECT_LT(model.objective(), 0.8 * before);
}

TEST(Extension, ResultsDoNotDependOnThreads) {
  EngineHarness one(kOscillator, 70, 1, std::size_t{1} << 30),
      three(kOscillator, 70, 3, std::size_t{1} << 30);
  one.differentiate(), three.differentiate();
  EXPECT_EQ(one.grad_weights, three.grad_weights);
  EXPECT_EQ(one.grad_theta, three.grad_theta);
}

TEST(Extension, IsDocumentedBesideTheBuiltInOnes) {
  const std::string reference = model_file_reference();
  for (const char* row :
       {R"(| `kind` | `"mlp"`, `"conv2d"`, `"conv1d"`, `"polynomial"` | `"mlp"` | )"
        R"(fully connected, convolutional on the fields of `[grid]`, the same on a `[grid]` )"
        R"(of one row, or a sum of powers |)",
        "| `degree` | whole number, from 1 to 100000 |  | the highest power (polynomial) |",
        "| `activation` |", "of the hidden layers (mlp, conv2d, conv1d) |", "| `gauss` | exp(-x^2) |",
        "| `mix` | mix(a, b, f) goes from a to b with f |"})
    EXPECT_NE(reference.find(row), std::string::npos) << row;
}

TEST(Extension, IsWrittenAsMathematics) {
  const SyntaxPtr syntax = parse_equation("gauss(x) + mix(a, b, c)");
  EXPECT_EQ(to_mathematics(*syntax), "gauss(x) + mix(a, b, c)");
  EXPECT_EQ(to_latex(*syntax),
            R"(\operatorname{gauss}\left( x \right) + \mathrm{mix}\left( a, b, c \right))");
}

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kOscillator;
  return text.replace(text.find(from), from.size(), to);
}

// What a mistake says: the message, and how to mend it.
std::pair<std::string, std::string> mistake_in(const std::string& text) {
  try {
    MadeModel(text, 3);
  } catch (const InputError& error) {
    return {error.diagnostics().front().message, error.diagnostics().front().help};
  }
  return {};
}

TEST(Extension, MistakesAreExplained) {
  using Mistake = std::pair<std::string, std::string>;
  EXPECT_EQ(mistake_in(replaced("degree = 3\n", "")),
            Mistake("network `fD` has no `degree`", "add the highest power, such as degree = 3"));
  EXPECT_EQ(mistake_in(replaced("degree = 3", "hidden = [3]")),
            Mistake("`hidden` belongs to networks of kind mlp",
                    "write `degree` for a polynomial, or kind = \"mlp\""));
  EXPECT_EQ(mistake_in(replaced("degree = 3", "degree = 3\nactivation = \"tanh\"")),
            Mistake("`activation` belongs to networks of kind mlp or conv2d or conv1d",
                    "remove it, or write kind = \"mlp\""));
  EXPECT_EQ(mistake_in(replaced("gain = 0.5", "gain = -1")),
            Mistake("`gain` must be greater than 0, and is -1", "`gain`: of the powers (polynomial)"));
  EXPECT_EQ(mistake_in(replaced("mix(d, k, 0.25)", "mix(d, k)")),
            Mistake("`mix` takes 3 arguments, and 2 are given", "write mix(a, b, f)"));
  EXPECT_EQ(mistake_in(replaced("gauss(x)", "gaus(x)")),
            Mistake("unknown function `gaus`", "did you mean `gauss`?"));
}

TEST(Extension, IsRefusedWhenItDoesNotFit) {
  EXPECT_EQ(extensions.refusals, (std::vector<std::string>{
                                     "network kind `polynomial` is registered twice",
                                     "network kind `p` lacks a function",
                                     "network kind `p` has no examples",
                                     "network kind `p` has a key that every network has",
                                     "network kind `p` and `polynomial` describe the key `gain` differently",
                                     "function `gauss` is there already",
                                     "function `sin` is there already",
                                     "function `Gauss` must be a name that starts with a lower-case letter",
                                     "function `dot` is there already",
                                 }));
}

TEST(Extension, IsRefusedOnceModelsAreRead) {
  MadeModel(kOscillator, 1);
  const std::string late = "extensions must be registered before the first model is read";
  NetworkKind kind = polynomial_kind();
  kind.name = "late";
  ElementwiseFunction function = gauss();
  function.name = "late";
  EXPECT_EQ(refusal([&] { register_network_kind(kind); }), late);
  EXPECT_EQ(refusal([&] { register_function(function); }), late);
}

}  // namespace
}  // namespace greybox::test
