// The convolutional network forward: against a plain reference, over blocks, and in float against double.
#include "nn/conv2d.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "nn/conv2d_reference.hpp"

namespace greybox::test {
namespace {

constexpr Padding kPaddings[] = {Padding::replicate, Padding::zero, Padding::periodic};
constexpr Activation kActivations[] = {Activation::leaky_relu, Activation::relu,     Activation::tanh,
                                       Activation::silu,       Activation::softplus, Activation::gelu,
                                       Activation::sigmoid};

Conv2dOptions small_network() {
  return {.n_inputs = 2, .channels = {5, 17}, .n_outputs = 2, .kernel = 3, .height = 3, .width = 5};
}

template <class T>
void expect_reference(const Conv2dOptions& options, const std::vector<std::size_t>& blocks,
                      double tolerance) {
  SCOPED_TRACE(describe(options));
  BlockRunner<T> runner(options, blocks);
  const std::vector<T> weights = random_weights(runner.network(), 1);
  runner.network().set_weights(weights.data());
  const Fields<T> inputs = random_fields<T>(options.n_inputs, runner.size(), 2);
  Fields<T> outputs(options.n_outputs, std::vector<T>(runner.size()));
  runner.forward(0, inputs, outputs);

  Fields<double> exact_inputs;
  for (const auto& field : inputs) exact_inputs.emplace_back(field.begin(), field.end());
  const ReferenceConv2d reference(options, runner.network().tensors(), {weights.begin(), weights.end()});
  const Fields<double> expected = reference(exact_inputs);
  for (std::size_t c = 0; c < outputs.size(); ++c) {
    for (std::size_t i = 0; i < runner.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(outputs[c][i]), expected[c][i], tolerance)
          << "output " << c << ", value " << i;
    }
  }
}

TEST(Conv2d, EveryPaddingAndNormOnFieldsOfAllSizes) {
  Conv2dOptions options = small_network();
  for (const Padding padding : kPaddings) {
    for (const Norm norm : kNorms) {
      for (const auto& [height, width] : {std::pair{1, 1}, {3, 5}, {8, 8}, {1, 9}, {19, 5}}) {
        options.padding = padding, options.norm = norm;
        options.height = static_cast<std::size_t>(height), options.width = static_cast<std::size_t>(width);
        expect_reference<double>(options, {3}, 1e-12);
      }
    }
  }
}

TEST(Conv2d, EveryKernelAlsoOnFieldsSmallerThanTheBorder) {
  Conv2dOptions options = small_network();
  for (const std::size_t kernel : {1, 3, 5, 7}) {
    for (const Padding padding : kPaddings) {
      options.kernel = kernel, options.padding = padding;
      options.height = 8, options.width = 6;
      expect_reference<double>(options, {2}, 1e-12);
      options.height = 1, options.width = 2;
      expect_reference<double>(options, {2}, 1e-12);
      options.height = 26, options.width = 3;
      expect_reference<double>(options, {2}, 1e-12);
    }
  }
}

TEST(Conv2d, KernelsOfOneRow) {
  Conv2dOptions options = small_network();
  options.is_line = true, options.height = 1;
  for (const Padding padding : kPaddings)
    for (const Norm norm : kNorms)
      for (const std::size_t kernel : {1, 3, 5, 7})
        for (const std::size_t width : {1, 2, 9, 64}) {
          options.padding = padding, options.norm = norm, options.kernel = kernel, options.width = width;
          expect_reference<double>(options, {3}, 1e-12);
          expect_reference<float>(options, {1, 2}, 3e-5);
        }
  const auto network = make_conv2d<float>(options);
  EXPECT_EQ(network->tensors()[0].shape, (std::vector<std::size_t>{5, 2, 7}));
  options.height = 2;
  EXPECT_THROW(make_conv2d<float>(options), std::invalid_argument);
}

TEST(Conv2d, EveryActivation) {
  Conv2dOptions options = small_network();
  for (const Norm norm : kNorms) {
    for (const Activation activation : kActivations) {
      options.norm = norm, options.activation = activation;
      expect_reference<double>(options, {3}, 1e-12);
    }
  }
}

TEST(Conv2d, ChannelsAroundTheVectorWidth) {
  for (const std::size_t channels : {1, 2, 4, 7, 8, 9, 15, 16, 17, 24, 33, 48}) {
    Conv2dOptions options = small_network();
    options.norm = Norm::batch;
    options.channels = {channels, channels + 1};
    options.n_inputs = channels % 5 + 1;
    options.n_outputs = channels;
    expect_reference<double>(options, {2}, 1e-12);
    expect_reference<float>(options, {2}, 2e-5);
  }
}

TEST(Conv2d, WithoutHiddenLayers) {
  Conv2dOptions options = small_network();
  options.channels = {};
  for (const Norm norm : kNorms) {
    options.norm = norm;
    expect_reference<double>(options, {3}, 1e-12);
  }
}

TEST(Conv2d, BatchStatisticsCoverAllBlocks) {
  Conv2dOptions options = small_network();
  options.norm = Norm::batch;
  expect_reference<double>(options, {7}, 1e-12);
  expect_reference<double>(options, {3, 1, 3}, 1e-12);
  expect_reference<double>(options, {1, 0, 6}, 1e-12);
}

TEST(Conv2d, FloatAgreesWithDoubleOnRealFields) {
  Conv2dOptions options{.n_inputs = 2, .channels = {16, 16}, .n_outputs = 2, .height = 32, .width = 32};
  for (const Norm norm : kNorms) {
    options.norm = norm;
    expect_reference<float>(options, {2, 1}, 2e-5);
  }
}

TEST(Conv2d, BatchNormSurvivesALargeMean) {
  Conv2dOptions options{
      .n_inputs = 1, .channels = {4}, .n_outputs = 1, .norm = Norm::batch, .height = 8, .width = 8};
  BlockRunner<float> runner(options, {2, 2});
  std::vector<float> weights = random_weights(runner.network(), 1);
  const Fields<float> inputs = random_fields<float>(1, runner.size(), 2);
  Fields<float> plain(1, std::vector<float>(runner.size())), shifted = plain;
  runner.network().set_weights(weights.data());
  runner.forward(0, inputs, plain);
  // A bias before the norm changes nothing but the mean that is subtracted.
  const WeightTensor& bias = runner.network().tensors()[1];
  for (std::size_t i = 0; i < bias.size(); ++i) weights[bias.offset + i] += 100;
  runner.network().set_weights(weights.data());
  runner.forward(0, inputs, shifted);
  for (std::size_t i = 0; i < runner.size(); ++i) EXPECT_NEAR(plain[0][i], shifted[0][i], 1e-4);
}

TEST(Conv2d, NotANumberComesThrough) {
  Conv2dOptions options = small_network();
  for (const Norm norm : kNorms) {
    for (const Activation activation : kActivations) {
      options.norm = norm, options.activation = activation;
      BlockRunner<float> runner(options, {1});
      runner.network().set_weights(random_weights(runner.network(), 1).data());
      Fields<float> inputs = random_fields<float>(2, runner.size(), 2);
      inputs[0][7] = std::numeric_limits<float>::quiet_NaN();
      Fields<float> outputs(2, std::vector<float>(runner.size()));
      runner.forward(0, inputs, outputs);
      EXPECT_TRUE(std::isnan(outputs[0][7])) << describe(options);
    }
  }
}

TEST(Conv2d, TensorsFollowPyTorch) {
  Conv2dOptions options = small_network();
  options.norm = Norm::batch;
  const auto network = make_conv2d<float>(options);
  std::vector<std::string> names;
  std::size_t next = 0;
  for (const WeightTensor& tensor : network->tensors()) {
    names.push_back(tensor.name);
    EXPECT_EQ(tensor.offset, next) << tensor.name;
    next += tensor.size();
  }
  EXPECT_EQ(network->n_weights(), next);
  EXPECT_EQ(names,
            (std::vector<std::string>{"0.weight", "0.bias", "0.norm.weight", "0.norm.bias", "1.weight",
                                      "1.bias", "1.norm.weight", "1.norm.bias", "2.weight", "2.bias"}));
  const WeightTensor& weight = network->tensors()[4];
  EXPECT_EQ(weight.shape, (std::vector<std::size_t>{17, 5, 3, 3}));
  EXPECT_DOUBLE_EQ(weight.bound, 1 / std::sqrt(45.0));
  EXPECT_DOUBLE_EQ(network->tensors()[5].bound, 1 / std::sqrt(45.0));
  EXPECT_EQ(network->tensors()[2].centre, 1);
  EXPECT_EQ(network->tensors()[2].bound, 0);
  EXPECT_EQ(network->tensors()[3].centre, 0);
}

TEST(Conv2d, PhasesFollowTheNorm) {
  Conv2dOptions options = small_network();
  EXPECT_EQ(make_conv2d<float>(options)->n_phases(), 1u);
  options.norm = Norm::instance;
  EXPECT_EQ(make_conv2d<float>(options)->n_phases(), 1u);
  options.norm = Norm::batch;
  EXPECT_EQ(make_conv2d<float>(options)->n_phases(), 3u);
}

TEST(Conv2d, RefusesSizesThatMakeNoNetwork) {
  const auto refused = [](auto change) {
    Conv2dOptions options = small_network();
    change(options);
    EXPECT_THROW(make_conv2d<float>(options), std::invalid_argument);
  };
  refused([](Conv2dOptions& o) { o.n_inputs = 0; });
  refused([](Conv2dOptions& o) { o.n_outputs = 0; });
  refused([](Conv2dOptions& o) { o.height = 0; });
  refused([](Conv2dOptions& o) { o.width = 0; });
  refused([](Conv2dOptions& o) { o.kernel = 4; });
  refused([](Conv2dOptions& o) { o.channels[1] = 0; });
}

}  // namespace
}  // namespace greybox::test
