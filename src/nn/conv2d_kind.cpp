// The kinds `conv2d` and `conv1d`: keys, checks, descriptions and examples.
#include <fmt/format.h>

#include "nn/conv2d.hpp"
#include "nn/network_kind.hpp"

namespace greybox {
namespace {

const std::vector<std::size_t>& conv_channels(const NetworkSettings& settings) {
  return settings.counts("channels");
}

bool has_batch_norm(const NetworkSettings& settings) {
  return settings.choice<Norm>("norm") == Norm::batch;
}

// Choices in the order of `Padding` and `Norm`.
std::vector<NetworkKey> conv_keys() {
  return {{.info = {.name = "channels",
                    .type = KeyType::counts,
                    .range = Range::layer_size,
                    .about = "channels of the hidden layers"},
           .missing = "`channels`",
           .missing_help = "add those of its hidden layers, such as channels = [16, 16]"},
          {.info = {.name = "kernel",
                    .type = KeyType::count,
                    .fallback = "3",
                    .range = Range::layer_size,
                    .about = "an odd number of grid points"}},
          {.info = {.name = "padding",
                    .type = KeyType::choice,
                    .fallback = "replicate",
                    .choices = {"replicate", "zero", "periodic"},
                    .about = "what stands beyond the edge"}},
          {.info = {.name = "norm",
                    .type = KeyType::choice,
                    .fallback = "none",
                    .choices = {"none", "batch", "instance"},
                    .about = "after each hidden convolution"}},
          activation_key()};
}

std::vector<SettingMistake> check_conv(const NetworkSettings& settings) {
  const std::size_t kernel = settings.count("kernel");
  if (kernel % 2 == 1) return {};
  return {{.key = "kernel",
           .message = fmt::format("the kernel must be odd, and is {}", kernel),
           .help = fmt::format("write {} or {}", kernel - 1, kernel + 1)}};
}

std::optional<Coupling> conv_coupling(const NetworkSettings& settings) {
  if (!has_batch_norm(settings)) return std::nullopt;
  return Coupling{.cause = "batch norm", .alternatives = {"norm = \"instance\"", "\"none\""}};
}

std::size_t conv_phases(const NetworkSettings& settings) {
  return has_batch_norm(settings) ? conv_channels(settings).size() + 1 : 1;
}

template <bool is_line>
std::string describe_conv(const NetworkConfig& config) {
  constexpr const char* norms[] = {"no norm", "batch norm", "instance norm"};
  const std::size_t kernel = config.settings.count("kernel");
  const std::string size = is_line ? fmt::format("{}", kernel) : fmt::format("{}×{}", kernel, kernel);
  return fmt::format("{} {} channels, kernel {}, {}", is_line ? "conv1d" : "conv2d",
                     layer_sizes(config, conv_channels(config.settings)), size,
                     norms[config.settings.count("norm")]);
}

template <class T, bool is_line>
std::unique_ptr<Network<T>> make_conv_of(const NetworkConfig& config) {
  const NetworkSettings& settings = config.settings;
  return make_conv2d<T>({.n_inputs = config.n_inputs,
                         .channels = conv_channels(settings),
                         .n_outputs = config.n_outputs,
                         .kernel = settings.count("kernel"),
                         .padding = settings.choice<Padding>("padding"),
                         .norm = settings.choice<Norm>("norm"),
                         .activation = settings.choice<Activation>("activation"),
                         .height = config.height,
                         .width = config.width,
                         .is_line = is_line});
}

std::vector<NetworkConfig> conv_examples(std::size_t height, std::size_t width) {
  const auto example = [&](std::vector<std::size_t> channels, std::size_t kernel, Padding padding,
                           Norm norm) {
    return NetworkConfig{.n_inputs = 2,
                         .n_outputs = 2,
                         .is_static = {false, true},
                         .height = height,
                         .width = width,
                         .settings = NetworkSettings()
                                         .set("channels", std::move(channels))
                                         .set("kernel", kernel)
                                         .set("padding", padding)
                                         .set("norm", norm)
                                         .set("activation", Activation::tanh)};
  };
  return {example({}, 1, Padding::zero, Norm::none), example({3, 5}, 3, Padding::replicate, Norm::none),
          example({4}, 3, Padding::periodic, Norm::instance),
          example({3, 2}, 3, Padding::replicate, Norm::batch)};
}

NetworkKind conv_kind(std::string name, std::string noun, std::string about) {
  return {.name = std::move(name),
          .noun = std::move(noun),
          .about = std::move(about),
          .domain = Domain::fields,
          .keys = conv_keys(),
          .check = check_conv,
          .coupling = conv_coupling,
          .n_phases = conv_phases,
          .hidden = [](const NetworkSettings& settings) { return conv_channels(settings); },
          .kept_values =
              [](const NetworkConfig& config) {
                return layer_values(config, conv_channels(config.settings)) * config.points();
              }};
}

}  // namespace

NetworkKind conv2d_kind() {
  NetworkKind kind = conv_kind("conv2d", "a conv2d", "convolutional on the fields of `[grid]`");
  kind.describe = describe_conv<false>;
  kind.make_float = make_conv_of<float, false>;
  kind.make_double = make_conv_of<double, false>;
  kind.examples = conv_examples(3, 5);
  return kind;
}

NetworkKind conv1d_kind() {
  NetworkKind kind = conv_kind("conv1d", "a conv1d", "the same on a `[grid]` of one row");
  kind.needs_line = true;
  kind.describe = describe_conv<true>;
  kind.make_float = make_conv_of<float, true>;
  kind.make_double = make_conv_of<double, true>;
  kind.examples = conv_examples(1, 7);
  return kind;
}

}  // namespace greybox
