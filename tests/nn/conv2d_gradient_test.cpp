// The convolutional network backward: gradients against central differences, over several blocks.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "nn/activation.hpp"
#include "nn/conv2d_reference.hpp"
#include "support/allocation_count.hpp"
#include "support/gradient_check.hpp"

namespace greybox::test {
namespace {

// A scalar of two evaluations, kept in two slots and weighted at random, with its gradients.
class TwoEvaluations {
 public:
  TwoEvaluations(const Conv2dOptions& options, std::vector<std::size_t> blocks)
      : options_(options),
        runner_(options, std::move(blocks), kSlots),
        weights_(random_weights(runner_.network(), 3)) {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      inputs_.push_back(random_fields<double>(options.n_inputs, runner_.size(), 10 + 10 * slot));
      factors_.push_back(random_fields<double>(options.n_outputs, runner_.size(), 100 + 10 * slot));
      outputs_.emplace_back(options.n_outputs, std::vector<double>(runner_.size()));
      // Backward adds: what is there before must stay.
      grad_inputs_.emplace_back(options.n_inputs, std::vector<double>(runner_.size(), 1.0));
    }
  }

  // A smaller step is less likely to cross the kink of a rectifier, where differences say nothing about the
  // gradient.
  void check(double step = 1e-5) {
    SCOPED_TRACE(describe(options_));
    value();
    // Old sums must not leak into the new ones.
    for (int repeat = 0; repeat < 2; ++repeat) {
      runner_.clear_weight_gradient();
      for (auto& fields : grad_inputs_) {
        for (auto& field : fields) std::fill(field.begin(), field.end(), 1.0);
      }
      for (std::size_t slot = kSlots; slot-- > 0;) runner_.backward(slot, factors_[slot], grad_inputs_[slot]);
    }
    const auto f = [this] { return value(); };
    expect_gradient("weights", weights_, runner_.weight_gradient(), f, kTolerance, step);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      for (std::size_t c = 0; c < options_.n_inputs; ++c) {
        for (double& g : grad_inputs_[slot][c]) g -= 1;
        expect_gradient("input " + std::to_string(c), inputs_[slot][c], grad_inputs_[slot][c], f, kTolerance,
                        step);
      }
    }
  }

 private:
  static constexpr std::size_t kSlots = 2;
  static constexpr double kTolerance = 1e-7;

  double value() {
    runner_.network().set_weights(weights_.data());
    double sum = 0;
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      runner_.forward(slot, inputs_[slot], outputs_[slot]);
      for (std::size_t c = 0; c < options_.n_outputs; ++c) {
        sum = std::inner_product(outputs_[slot][c].begin(), outputs_[slot][c].end(),
                                 factors_[slot][c].begin(), sum);
      }
    }
    return sum;
  }

  Conv2dOptions options_;
  BlockRunner<double> runner_;
  std::vector<double> weights_;
  std::vector<Fields<double>> inputs_, factors_, outputs_, grad_inputs_;
};

Conv2dOptions smooth_network() {
  return {.n_inputs = 2,
          .channels = {3, 5},
          .n_outputs = 2,
          .activation = Activation::tanh,
          .height = 3,
          .width = 5};
}

TEST(Conv2dGradient, EveryPaddingAndNorm) {
  for (const Padding padding : {Padding::replicate, Padding::zero, Padding::periodic}) {
    for (const Norm norm : kNorms) {
      Conv2dOptions options = smooth_network();
      options.padding = padding, options.norm = norm;
      TwoEvaluations(options, {2, 1}).check();
    }
  }
}

// High enough to be cut into strips, with kernels and channels that go by each of the filters' methods.
TEST(Conv2dGradient, SeveralStrips) {
  for (const Padding padding : {Padding::replicate, Padding::zero, Padding::periodic}) {
    for (const Norm norm : kNorms) {
      Conv2dOptions options = smooth_network();
      options.padding = padding, options.norm = norm;
      options.height = 19, options.width = 2;
      TwoEvaluations(options, {1, 1}).check();
      options.kernel = 5, options.channels = {5, 3}, options.height = 16;
      TwoEvaluations(options, {1}).check();
      options.kernel = 3, options.channels = {8, 8}, options.height = 24, options.width = 4;
      TwoEvaluations(options, {1}).check();
    }
  }
}

TEST(Conv2dGradient, BatchNormOverBlocksOfDifferentSizes) {
  Conv2dOptions options = smooth_network();
  options.norm = Norm::batch;
  TwoEvaluations(options, {7}).check();
  TwoEvaluations(options, {3, 1, 2}).check();
  TwoEvaluations(options, {1, 0, 3}).check();
}

TEST(Conv2dGradient, EveryActivation) {
  for (const Activation activation :
       {Activation::leaky_relu, Activation::relu, Activation::tanh, Activation::silu, Activation::softplus,
        Activation::gelu, Activation::sigmoid}) {
    for (const Norm norm : kNorms) {
      Conv2dOptions options = smooth_network();
      options.activation = activation, options.norm = norm;
      TwoEvaluations(options, {1, 2}).check(leaky_slope(activation) ? 1e-6 : 1e-5);
    }
  }
}

TEST(Conv2dGradient, EveryKernelAlsoOnFieldsSmallerThanTheBorder) {
  for (const std::size_t kernel : {1, 3, 5, 7}) {
    for (const Padding padding : {Padding::replicate, Padding::zero, Padding::periodic}) {
      Conv2dOptions options = smooth_network();
      options.channels = {3}, options.kernel = kernel, options.padding = padding;
      options.height = 2, options.width = 1;
      TwoEvaluations(options, {2}).check();
    }
  }
}

TEST(Conv2dGradient, ChannelsAroundTheVectorWidth) {
  for (const std::size_t channels : {1, 2, 4, 7, 8, 9, 16, 17}) {
    Conv2dOptions options = smooth_network();
    options.norm = Norm::batch;
    options.channels = {channels, 3}, options.n_inputs = 1 + channels % 4,
    options.n_outputs = 1 + channels % 3;
    options.height = 3, options.width = 3;
    TwoEvaluations(options, {1, 1}).check();
  }
}

// Wide enough for Winograd's method, with so few inputs that the first results are made again.
TEST(Conv2dGradient, WideLayersOnLargerFields) {
  for (const Padding padding : {Padding::replicate, Padding::zero, Padding::periodic}) {
    Conv2dOptions options = smooth_network();
    options.padding = padding, options.norm = Norm::batch;
    options.channels = {8, 9}, options.height = 4;
    options.width = padding == Padding::replicate ? 6 : 4;  // 6 does not divide into tiles
    TwoEvaluations(options, {1, 1}).check();
  }
}

TEST(Conv2dGradient, KernelsOfOneRow) {
  for (const Padding padding : {Padding::replicate, Padding::zero, Padding::periodic}) {
    for (const Norm norm : kNorms) {
      Conv2dOptions options = smooth_network();
      options.is_line = true, options.height = 1, options.width = 7;
      options.padding = padding, options.norm = norm;
      TwoEvaluations(options, {2, 1}).check();
      options.kernel = 5, options.channels = {9, 17};
      TwoEvaluations(options, {1, 2}).check();
      // Fewer points than the kernel has; two alone would have next to no variance to norm by.
      options.kernel = 7, options.channels = {3}, options.width = norm == Norm::none ? 2 : 4;
      TwoEvaluations(options, {2}).check();
    }
  }
}

TEST(Conv2dGradient, WithoutHiddenLayers) {
  Conv2dOptions options = smooth_network();
  options.channels = {};
  TwoEvaluations(options, {2, 1}).check();
  options.n_inputs = 9, options.n_outputs = 11;
  TwoEvaluations(options, {1}).check();
}

TEST(Conv2dGradient, InputsNobodyAsksForAreLeftAlone) {
  Conv2dOptions options = smooth_network();
  BlockRunner<double> runner(options, {2});
  runner.network().set_weights(random_weights(runner.network(), 1).data());
  const Fields<double> inputs = random_fields<double>(2, runner.size(), 2),
                       grads = random_fields<double>(2, runner.size(), 5);
  Fields<double> outputs(2, std::vector<double>(runner.size())), all = outputs, second = {{}, all[1]},
                                                                 none(2);
  runner.forward(0, inputs, outputs);
  runner.backward(0, grads, all);
  runner.backward(0, grads, second);
  runner.backward(0, grads, none);
  EXPECT_EQ(second[1], all[1]);
}

TEST(Conv2dGradient, NothingAllocatesAfterConstruction) {
  for (const Norm norm : kNorms) {
    for (const Activation activation : {Activation::leaky_relu, Activation::gelu}) {
      Conv2dOptions options = smooth_network();
      options.norm = norm, options.activation = activation;
      BlockRunner<float> runner(options, {2, 1}, 2);
      const std::vector<float> weights = random_weights(runner.network(), 1);
      const Fields<float> fields = random_fields<float>(2, runner.size(), 2);
      Fields<float> results = fields;
      std::vector<float> gradient(weights.size());
      const std::size_t before = n_allocations();
      runner.network().set_weights(weights.data());
      runner.clear_weight_gradient();
      for (const std::size_t slot : {0, 1}) runner.forward(slot, fields, results);
      for (const std::size_t slot : {1, 0}) runner.backward(slot, fields, results);
      runner.add_weight_gradient(gradient);
      EXPECT_EQ(n_allocations(), before) << describe(options);
    }
  }
}

template <class T>
struct Gradients {
  std::vector<T> weights;
  Fields<T> inputs;
};

template <class T>
Gradients<T> gradients(const Conv2dOptions& options) {
  BlockRunner<T> runner(options, {2, 1});
  runner.network().set_weights(random_weights(runner.network(), 1).data());
  Fields<T> outputs(2, std::vector<T>(runner.size())), grad_inputs = outputs;
  runner.forward(0, random_fields<T>(2, runner.size(), 2), outputs);
  runner.backward(0, random_fields<T>(2, runner.size(), 5), grad_inputs);
  return {runner.weight_gradient(), grad_inputs};
}

void expect_close(const std::vector<float>& values, const std::vector<double>& exact, double tolerance) {
  double scale = 0;
  for (const double value : exact) scale = std::max(scale, std::abs(value));
  for (std::size_t i = 0; i < exact.size(); ++i)
    ASSERT_NEAR(values[i], exact[i], tolerance * scale) << "entry " << i;
}

TEST(Conv2dGradient, FloatAgreesWithDoubleOnRealFields) {
  for (const Norm norm : kNorms) {
    Conv2dOptions options{.n_inputs = 2,
                          .channels = {16, 16},
                          .n_outputs = 2,
                          .norm = norm,
                          .activation = Activation::softplus,
                          .height = 32,
                          .width = 32};
    SCOPED_TRACE(describe(options));
    const auto single = gradients<float>(options);
    const auto exact = gradients<double>(options);
    expect_close(single.weights, exact.weights, 1e-5);
    for (std::size_t c = 0; c < 2; ++c) expect_close(single.inputs[c], exact.inputs[c], 1e-5);
  }
}

TEST(Conv2dGradient, RepeatsBitForBit) {
  Conv2dOptions options{
      .n_inputs = 2, .channels = {16, 16}, .n_outputs = 2, .norm = Norm::batch, .height = 8, .width = 8};
  const auto first = gradients<float>(options), again = gradients<float>(options);
  EXPECT_EQ(first.weights, again.weights);
  EXPECT_EQ(first.inputs, again.inputs);
}

}  // namespace
}  // namespace greybox::test
