// The kind `mlp`: keys, description and examples.
#include "nn/mlp.hpp"
#include "nn/network_kind.hpp"

namespace greybox {
namespace {

const std::vector<std::size_t>& mlp_hidden(const NetworkSettings& settings) {
  return settings.counts("hidden");
}

template <class T>
std::unique_ptr<Network<T>> make_mlp_of(const NetworkConfig& config) {
  return make_mlp<T>({.n_inputs = config.n_inputs,
                      .hidden = mlp_hidden(config.settings),
                      .n_outputs = config.n_outputs,
                      .activation = config.settings.choice<Activation>("activation"),
                      .is_static = config.is_static,
                      .signs = config.signs});
}

std::vector<NetworkConfig> mlp_examples() {
  const auto settings = [](std::vector<std::size_t> hidden, Activation activation) {
    return NetworkSettings().set("hidden", std::move(hidden)).set("activation", activation);
  };
  return {{.n_inputs = 3, .n_outputs = 2, .settings = settings({}, Activation::tanh)},
          {.n_inputs = 4,
           .n_outputs = 1,
           .is_static = {false, true, false, true},
           .settings = settings({5, 16}, Activation::silu)},
          {.n_inputs = 2,
           .n_outputs = 17,
           .is_static = {true, true},
           .settings = settings({33}, Activation::gelu)},
          {.n_inputs = 4,
           .n_outputs = 2,
           .is_static = {false, true, true, false},
           .settings = settings({7, 5}, Activation::tanh),
           .signs = {1, -1, 0, 0}},
          {.n_inputs = 5, .n_outputs = 3, .settings = settings({1, 9}, Activation::tanh)}};
}

}  // namespace

NetworkKind mlp_kind() {
  return {.name = "mlp",
          .noun = "an mlp",
          .about = "fully connected",
          .domain = Domain::scalars,
          .can_be_monotone = true,
          .keys = {{.info = {.name = "hidden",
                             .type = KeyType::counts,
                             .range = Range::layer_size,
                             .about = "sizes of the hidden layers"},
                    .missing = "`hidden` layers",
                    .missing_help = "add their sizes, such as hidden = [64, 64]; [] makes it linear"},
                   activation_key()},
          .hidden = [](const NetworkSettings& settings) { return mlp_hidden(settings); },
          .kept_values =
              [](const NetworkConfig& config) { return layer_values(config, mlp_hidden(config.settings)); },
          .describe =
              [](const NetworkConfig& config) {
                return "mlp " + layer_sizes(config, mlp_hidden(config.settings));
              },
          .make_float = make_mlp_of<float>,
          .make_double = make_mlp_of<double>,
          .examples = mlp_examples()};
}

}  // namespace greybox
