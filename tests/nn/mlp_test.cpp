// The fully connected network against plain loops, its gradients against differences, and its promises on
// memory.
#include "nn/mlp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nn/activation.hpp"
#include "nn/trajectory.hpp"
#include "support/allocation_count.hpp"
#include "support/gradient_check.hpp"
#include "support/simd_targets.hpp"

namespace greybox {
namespace {

using test::Trajectory;

// One sample through the network, layer after layer, in the layout of the tensors.
template <class T>
std::vector<double> naive(const Trajectory<T>& run, std::vector<double> x) {
  const auto tensors = run.network->tensors();
  for (std::size_t l = 0; 2 * l < tensors.size(); ++l) {
    const WeightTensor &w = tensors[2 * l], &b = tensors[2 * l + 1];
    std::vector<double> y(w.shape[0]);
    for (std::size_t o = 0; o < y.size(); ++o) {
      y[o] = run.weights[b.offset + o];
      for (std::size_t i = 0; i < x.size(); ++i) y[o] += run.weights[w.offset + o * x.size() + i] * x[i];
    }
    if (2 * l + 2 < tensors.size()) activate(run.options.activation, y.size(), y.data(), y.data());
    x = y;
  }
  return x;
}

template <class T>
void expect_forward_is_naive(const MlpOptions& options, std::size_t n_samples, double tolerance) {
  Trajectory<T> run(options, n_samples, 2, n_samples + 3);
  run.forward();
  for (std::size_t slot = 0; slot < 2; ++slot) {
    for (std::size_t s = 0; s < n_samples; ++s) {
      std::vector<double> x(options.n_inputs);
      for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = run.inputs[((run.is_static(i) ? 0 : slot) * x.size() + i) * n_samples + s];
      }
      const std::vector<double> y = naive(run, x);
      for (std::size_t o = 0; o < y.size(); ++o) {
        ASSERT_NEAR(run.outputs[(slot * y.size() + o) * n_samples + s], y[o],
                    tolerance * (1 + std::abs(y[o])));
      }
    }
  }
}

const std::vector<std::vector<std::size_t>> kHidden = {{}, {1}, {5, 16}, {33}, {16, 1, 33}, {128, 65}};

TEST(Mlp, ForwardAgreesWithPlainLoops) {
  test::on_every_target([] {
    for (const auto& hidden : kHidden) {
      for (std::size_t n_samples : {1, 3, 7, 17, 50}) {
        for (std::size_t n_outputs : {1, 2, 5, 40}) {
          MlpOptions options{.n_inputs = 6, .hidden = hidden, .n_outputs = n_outputs};
          expect_forward_is_naive<double>(options, n_samples, 1e-12);
          expect_forward_is_naive<float>(options, n_samples, 1e-4);
          options.is_static = {false, true, false, false, true, false};
          expect_forward_is_naive<double>(options, n_samples, 1e-12);
        }
      }
    }
  });
}

// Slot 0 holds the static inputs, whose other slots must get no gradient.
void expect_gradients(const MlpOptions& options, std::size_t n_samples, std::size_t n_slots,
                      std::size_t group) {
  Trajectory<double> run(options, n_samples, n_slots, n_samples + 2);
  run.forward();
  run.backward(group);
  const auto objective = [&] { return run.objective(); };
  test::expect_gradient("inputs", run.inputs, run.grad_inputs, objective);
  test::expect_gradient("weights", run.weights, run.gradient, objective);
}

TEST(Mlp, GradientsOfEveryActivation) {
  for (Activation activation : {Activation::leaky_relu, Activation::relu, Activation::tanh, Activation::silu,
                                Activation::softplus, Activation::gelu, Activation::sigmoid}) {
    for (std::size_t n_samples : {1, 3, 7, 17}) {
      SCOPED_TRACE(static_cast<int>(activation));
      MlpOptions options{.n_inputs = 3, .hidden = {5, 16}, .n_outputs = 2, .activation = activation};
      expect_gradients(options, n_samples, 3, 2);
      options.is_static = {true, false, true};
      expect_gradients(options, n_samples, 3, 2);
    }
  }
}

TEST(Mlp, GradientsOfEveryShape) {
  test::on_every_target([] {
    for (const std::vector<std::size_t>& hidden :
         std::vector<std::vector<std::size_t>>{{}, {1}, {5}, {33, 16}, {1, 1}}) {
      for (std::size_t n_outputs : {1, 3, 19}) {
        MlpOptions options{
            .n_inputs = 4, .hidden = hidden, .n_outputs = n_outputs, .activation = Activation::tanh};
        expect_gradients(options, 7, 2, 1);
        options.is_static = {true, true, false, true};
        expect_gradients(options, 3, 2, 2);
        options.is_static = {true, true, true, true};
        expect_gradients(options, 3, 2, 2);
      }
    }
  });
}

TEST(Mlp, FlushGroupsMayCrossTheEndOfTheWaitingSlots) {
  const MlpOptions options{.n_inputs = 2, .hidden = {5}, .n_outputs = 1, .activation = Activation::silu};
  expect_gradients(options, 3, 21, 6);
  expect_gradients(options, 2, 40, 16);
}

TEST(Mlp, AddsTheGradientsOfSeveralTapes) {
  const MlpOptions options{.n_inputs = 3, .hidden = {9}, .n_outputs = 2, .is_static = {false, true, false}};
  Trajectory<double> run(options, 4, 2, 4);
  run.forward(), run.backward(2);
  std::vector<double> twice = run.gradient;
  for (double& g : twice) g *= 2;
  run.tape = run.network->make_tape(4, 2);
  run.forward(), run.backward(2);
  for (std::size_t i = 0; i < twice.size(); ++i) EXPECT_DOUBLE_EQ(run.gradient[i], twice[i]);
}

TEST(Mlp, ASecondSweepStartsFromZero) {
  const MlpOptions options{.n_inputs = 3, .hidden = {9}, .n_outputs = 2, .is_static = {false, true, false}};
  Trajectory<double> run(options, 4, 2, 4);
  run.forward(), run.backward(2);
  const std::vector<double> once = run.gradient, inputs_once = run.grad_inputs;
  run.gradient.assign(once.size(), 0), run.grad_inputs.assign(inputs_once.size(), 0);
  run.backward(2);
  EXPECT_EQ(run.gradient, once);
  EXPECT_EQ(run.grad_inputs, inputs_once);
}

TEST(Mlp, ASampleDoesNotDependOnItsNeighbours) {
  const MlpOptions options{.n_inputs = 6, .hidden = {128, 33}, .n_outputs = 2};
  Trajectory<float> run(options, 37, 1, 37);
  run.forward();
  for (std::size_t s : {0, 5, 36}) {
    Trajectory<float> alone(options, 1, 1, 1);
    for (std::size_t i = 0; i < 6; ++i) alone.inputs[i] = run.inputs[i * 37 + s];
    alone.weights = run.weights;
    alone.objective();
    for (std::size_t o = 0; o < 2; ++o) EXPECT_EQ(alone.outputs[o], run.outputs[o * 37 + s]);
  }
}

TEST(Mlp, LetsNanThroughInItsOwnSampleOnly) {
  for (Activation activation : {Activation::leaky_relu, Activation::relu, Activation::softplus}) {
    const MlpOptions options{.n_inputs = 2, .hidden = {7, 7}, .n_outputs = 1, .activation = activation};
    Trajectory<float> run(options, 5, 1, 5);
    run.inputs[3] = std::numeric_limits<float>::quiet_NaN();
    run.forward();
    for (std::size_t s = 0; s < 5; ++s) EXPECT_EQ(std::isnan(run.outputs[s]), s == 3);
  }
}

TEST(Mlp, NullGradientsAreNotWanted) {
  const MlpOptions options{.n_inputs = 3, .hidden = {4}, .n_outputs = 1, .is_static = {false, true, false}};
  Trajectory<double> run(options, 5, 1, 5);
  run.forward();
  std::vector<double> wanted(5);
  double* grad_inputs[] = {nullptr, nullptr, wanted.data()};
  const double* grad_outputs[] = {run.grad_outputs.data()};
  run.network->backward(*run.tape, 0, 0, 5, grad_outputs, grad_inputs);
  run.network->end(*run.tape, 5, grad_inputs);
  run.backward(1);
  for (std::size_t s = 0; s < 5; ++s) EXPECT_DOUBLE_EQ(wanted[s], run.grad_inputs[10 + s]);
}

TEST(Mlp, TensorsAreThoseOfPyTorch) {
  const auto network = make_mlp<float>({.n_inputs = 4, .hidden = {16}, .n_outputs = 3});
  const auto tensors = network->tensors();
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors[0].name, "0.weight");
  EXPECT_EQ(tensors[0].shape, (std::vector<std::size_t>{16, 4}));
  EXPECT_EQ(tensors[1].name, "0.bias");
  EXPECT_EQ(tensors[1].offset, 64u);
  EXPECT_DOUBLE_EQ(tensors[1].bound, 0.5);
  EXPECT_EQ(tensors[2].name, "1.weight");
  EXPECT_EQ(tensors[2].offset, 80u);
  EXPECT_DOUBLE_EQ(tensors[2].bound, 0.25);
  EXPECT_EQ(tensors[3].shape, std::vector<std::size_t>{3});
  EXPECT_EQ(network->n_weights(), 80u + 51u);
  EXPECT_EQ(network->n_inputs(), 4u);
  EXPECT_EQ(network->n_outputs(), 3u);
}

TEST(Mlp, DoesNotAllocateInAStep) {
  const MlpOptions options{.n_inputs = 6,
                           .hidden = {33, 16},
                           .n_outputs = 2,
                           .activation = Activation::gelu,
                           .is_static = {false, true, false, false, false, false}};
  Trajectory<float> run(options, 9, 8, 9);
  run.forward(), run.backward(4);
  const std::size_t before = test::n_allocations();
  run.network->set_weights(run.weights.data());
  run.forward();
  run.backward(4);
  EXPECT_EQ(test::n_allocations(), before);
  run.network->make_tape(1, 1);
  EXPECT_GT(test::n_allocations(), before);
}

}  // namespace
}  // namespace greybox
