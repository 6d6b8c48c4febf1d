// What every network promises, for the examples of every registered kind.
#include "nn/network_contract.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <set>

#include "support/allocation_count.hpp"
#include "support/gradient_check.hpp"
#include "support/simd_targets.hpp"

namespace greybox::test {
namespace {

struct ContractCase {
  const NetworkKind* kind;
  std::size_t example;

  friend void PrintTo(const ContractCase& example_case, std::ostream* out) {
    *out << example_case.kind->describe(example_case.kind->examples[example_case.example]);
  }
};

std::vector<ContractCase> contract_cases() {
  std::vector<ContractCase> cases;
  for (const NetworkKind& kind : network_kinds())
    for (std::size_t i = 0; i < kind.examples.size(); ++i) cases.push_back({&kind, i});
  return cases;
}

class NetworkContract : public ::testing::TestWithParam<ContractCase> {
 protected:
  static const NetworkKind& kind() { return *GetParam().kind; }
  static const NetworkConfig& config() { return kind().examples[GetParam().example]; }
  static bool is_coupled() { return kind().n_phases(config().settings) > 1; }

  template <class T>
  static ContractRun<T> run(std::vector<std::size_t> blocks, std::size_t n_slots = 3) {
    return ContractRun<T>(kind(), config(), std::move(blocks), n_slots);
  }
};

template <class T>
void expect_near(const char* what, const std::vector<T>& actual, const std::vector<T>& expected,
                 double tolerance) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  double scale = 1e-3;
  for (T value : expected) scale = std::max(scale, std::abs(static_cast<double>(value)));
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], tolerance * scale) << what << ", entry " << i;
}

template <class T>
constexpr double kRounding = 1000 * std::numeric_limits<T>::epsilon();

TEST_P(NetworkContract, TensorsFillTheFlatVectorInOrder) {
  const auto network = kind().make<double>(config());
  std::set<std::string> names;
  std::size_t offset = 0;
  for (const WeightTensor& tensor : network->tensors()) {
    EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name;
    EXPECT_EQ(tensor.offset, offset) << tensor.name;
    EXPECT_GE(tensor.bound, 0) << tensor.name;
    offset += tensor.size();
  }
  EXPECT_EQ(network->n_weights(), offset);
  const auto in_float = kind().make<float>(config());
  ASSERT_EQ(in_float->tensors().size(), network->tensors().size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(in_float->tensors()[i].name, network->tensors()[i].name);
    EXPECT_EQ(in_float->tensors()[i].shape, network->tensors()[i].shape);
  }
}

TEST_P(NetworkContract, DescriptorAgreesWithTheNetwork) {
  const auto network = kind().make<float>(config());
  EXPECT_EQ(network->n_inputs(), config().n_inputs);
  EXPECT_EQ(network->n_outputs(), config().n_outputs);
  EXPECT_EQ(network->n_phases(), kind().n_phases(config().settings));
  EXPECT_TRUE(!is_coupled() || kind().coupling(config().settings));
  EXPECT_TRUE(kind().check(config().settings).empty());
  EXPECT_TRUE(kind().describe(config()).starts_with(kind().name));
  EXPECT_GT(kind().kept_values(config()), 0u);
}

TEST_P(NetworkContract, GradientsAreExact) {
  on_every_target([] {
    for (const std::vector<std::size_t>& blocks : {std::vector<std::size_t>{1}, {3}, {7}, {2, 1}, {9, 8}}) {
      auto network = run<double>(blocks);
      network.forward();
      network.backward({.group = 2});
      const std::vector<double> grad_inputs = network.grad_inputs, grad_weights = network.grad_weights;
      const auto f = [&] { return network.objective(); };
      expect_gradient("inputs", network.inputs, grad_inputs, f);
      expect_gradient("weights", network.weights, grad_weights, f);
      if (HasFailure()) return;
    }
  });
}

// The same numbers from a new network, and from a second sweep, which must start from zero.
TEST_P(NetworkContract, IsDeterministic) {
  const auto check = [](auto number) {
    auto first = run<decltype(number)>({5, 4}), second = run<decltype(number)>({5, 4});
    first.forward(), first.backward({.group = 3});
    for (int sweep = 0; sweep < 2; ++sweep) {
      second.forward(), second.backward({.group = 3});
      EXPECT_EQ(first.outputs, second.outputs);
      EXPECT_EQ(first.grad_inputs, second.grad_inputs);
      EXPECT_EQ(first.grad_weights, second.grad_weights);
    }
  };
  check(float()), check(double());
}

// How a batch is cut into blocks must not show; where the samples are coupled, but for rounding.
TEST_P(NetworkContract, BlocksAreIndependent) {
  const auto check = [](auto number) {
    using T = decltype(number);
    auto whole = run<T>({13}), cut = run<T>({1, 9, 3});
    for (auto* network : {&whole, &cut}) network->forward(), network->backward({.group = 1});
    const double tolerance = is_coupled() ? kRounding<T> : 0;
    expect_near("outputs", cut.outputs, whole.outputs, tolerance);
    expect_near("inputs", cut.grad_inputs, whole.grad_inputs, tolerance);
    expect_near("weights", cut.grad_weights, whole.grad_weights, kRounding<T>);
  };
  check(float()), check(double());
}

TEST_P(NetworkContract, NanStaysInItsOwnSample) {
  if (is_coupled()) GTEST_SKIP() << "its samples depend on each other";
  auto sound = run<float>({6}, 1), broken = run<float>({6}, 1);
  const std::size_t sample = 4;
  broken.inputs[sample * broken.points] = std::numeric_limits<float>::quiet_NaN();
  sound.forward(), broken.forward();
  bool has_nan = false;
  for (std::size_t i = 0; i < sound.outputs.size(); ++i) {
    const bool is_own = i % sound.n_values / sound.points == sample;
    has_nan = has_nan || (is_own && std::isnan(broken.outputs[i]));
    EXPECT_TRUE(is_own || broken.outputs[i] == sound.outputs[i]) << i;
  }
  EXPECT_TRUE(has_nan);
}

// Slots keep what they need until the way back; in which groups they are flushed changes rounding alone.
TEST_P(NetworkContract, FlushesInGroupsOfAnySize) {
  const auto check = [](auto number) {
    using T = decltype(number);
    auto alone = run<T>({3}, 21), grouped = run<T>({3}, 21);
    alone.forward(), alone.backward({.group = 1});
    for (std::size_t group : {2, 6, 16}) {
      grouped.forward(), grouped.backward({.group = group});
      EXPECT_EQ(grouped.grad_inputs, alone.grad_inputs);
      expect_near("weights", grouped.grad_weights, alone.grad_weights, kRounding<T>);
    }
  };
  check(float()), check(double());
}

TEST_P(NetworkContract, LeavesOutWhatIsNotWanted) {
  auto network = run<double>({4});
  network.forward(), network.backward({});
  const std::vector<double> grad_inputs = network.grad_inputs, grad_weights = network.grad_weights;
  network.backward({.needs_weight_gradient = false});
  EXPECT_EQ(network.grad_inputs, grad_inputs);
  network.backward({.wants_first_input = false});
  EXPECT_EQ(network.grad_weights, grad_weights);
  for (std::size_t i = 0; i < grad_inputs.size(); ++i) {
    const bool is_first = i / network.n_values % config().n_inputs == 0;
    ASSERT_EQ(network.grad_inputs[i], is_first ? 0 : grad_inputs[i]) << i;
  }
}

TEST_P(NetworkContract, FloatAgreesWithDouble) {
  auto in_float = run<float>({7});
  auto in_double = run<double>({7});
  in_float.forward(), in_float.backward({});
  in_double.forward(), in_double.backward({});
  const auto widened = [](const std::vector<float>& v) { return std::vector<double>(v.begin(), v.end()); };
  expect_near("outputs", widened(in_float.outputs), in_double.outputs, 1e-5);
  expect_near("inputs", widened(in_float.grad_inputs), in_double.grad_inputs, 1e-4);
  expect_near("weights", widened(in_float.grad_weights), in_double.grad_weights, 1e-4);
}

TEST_P(NetworkContract, AllocatesNothingAfterConstruction) {
  auto network = run<float>({5, 2}, 8);
  const std::size_t before = n_allocations();
  network.forward();
  network.backward({.group = 4});
  EXPECT_EQ(n_allocations(), before);
  run<float>({1}, 1);
  EXPECT_GT(n_allocations(), before);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NetworkContract, ::testing::ValuesIn(contract_cases()), [](const auto& test) {
  return test.param.kind->name + "_" + std::to_string(test.param.example);
});

}  // namespace
}  // namespace greybox::test
