// The kind `mlp`: keys, description and examples.
#include <fmt/format.h>

#include "nn/conditioned_mlp.hpp"
#include "nn/mlp.hpp"
#include "nn/network_kind.hpp"

namespace greybox {
namespace {

const std::vector<std::size_t>& mlp_hidden(const NetworkSettings& settings) {
  return settings.counts("hidden");
}

// A slip of the pen, that would take all memory of any machine.
constexpr double kMostMade = 0x1p28;

// Whose the weights are: the network's own; also its own, but every layer scaled and shifted; or made anew.
enum class WeightsOf : std::uint8_t { own, film, hyper };

WeightsOf weights_of(const NetworkSettings& settings) {
  return settings.choice<WeightsOf>("weights");
}

template <class T>
std::unique_ptr<Network<T>> make_mlp_of(const NetworkConfig& config) {
  if (config.n_conditions > 0)
    return make_conditioned_mlp<T>({.n_inputs = config.n_inputs,
                                    .n_conditions = config.n_conditions,
                                    .hidden = mlp_hidden(config.settings),
                                    .n_outputs = config.n_outputs,
                                    .activation = config.settings.choice<Activation>("activation"),
                                    .made = weights_of(config.settings) == WeightsOf::film
                                                ? MadeWeights::scales_and_shifts
                                                : MadeWeights::all,
                                    .n_made_by = config.settings.count("maker"),
                                    .is_static = config.is_static});
  return make_mlp<T>({.n_inputs = config.n_inputs,
                      .hidden = mlp_hidden(config.settings),
                      .n_outputs = config.n_outputs,
                      .activation = config.settings.choice<Activation>("activation"),
                      .is_static = config.is_static,
                      .signs = config.signs});
}

std::vector<NetworkConfig> mlp_examples() {
  const auto settings = [](std::vector<std::size_t> hidden, Activation activation) {
    return NetworkSettings()
        .set("hidden", std::move(hidden))
        .set("activation", activation)
        .set("weights", WeightsOf::own)
        .set("maker", std::size_t{1});
  };
  const auto made = [&](WeightsOf weights, std::size_t maker, std::vector<std::size_t> hidden,
                        Activation activation) {
    return settings(std::move(hidden), activation).set("weights", weights).set("maker", maker);
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
          {.n_inputs = 5, .n_outputs = 3, .settings = settings({1, 9}, Activation::tanh)},
          {.n_inputs = 5,
           .n_outputs = 2,
           .is_static = {false, false, false, true, true},
           .n_conditions = 2,
           .settings = made(WeightsOf::film, 4, {17, 5}, Activation::silu)},
          {.n_inputs = 3,
           .n_outputs = 1,
           .n_conditions = 1,
           .settings = made(WeightsOf::film, 1, {6}, Activation::tanh)},
          {.n_inputs = 5,
           .n_outputs = 2,
           .is_static = {false, false, true, true, true},
           .n_conditions = 2,
           .settings = made(WeightsOf::hyper, 4, {17, 5}, Activation::tanh)},
          {.n_inputs = 4,
           .n_outputs = 70,
           .n_conditions = 1,
           .settings = made(WeightsOf::hyper, 3, {33}, Activation::gelu)},
          {.n_inputs = 2,
           .n_outputs = 3,
           .is_static = {false, true},
           .n_conditions = 1,
           .settings = made(WeightsOf::hyper, 2, {}, Activation::tanh)}};
}

std::vector<SettingMistake> mlp_mistakes(const NetworkSettings& settings) {
  const std::vector<std::size_t>& hidden = mlp_hidden(settings);
  if (weights_of(settings) == WeightsOf::film && hidden.empty())
    return {{"weights", "there are no hidden layers whose sums could be scaled and shifted",
             "name `hidden` layers, or write weights = \"hyper\""}};
  double n_made = 0;
  for (std::size_t l = 0; l + 1 < hidden.size(); ++l)
    n_made += static_cast<double>(hidden[l]) * static_cast<double>(hidden[l + 1]);
  if (weights_of(settings) == WeightsOf::hyper &&
      n_made * static_cast<double>(settings.count("maker")) > kMostMade)
    return {{"maker",
             fmt::format("the network that makes {:.2g} weights would have more than {:.2g} of its own",
                         n_made, kMostMade),
             "give both smaller layers, or write weights = \"film\""}};
  return {};
}

std::string describe_mlp(const NetworkConfig& config) {
  if (config.n_conditions == 0) return "mlp " + layer_sizes(config, mlp_hidden(config.settings));
  NetworkConfig moving = config;
  moving.n_inputs -= config.n_conditions;
  return fmt::format(
      "mlp {}, {} by {} units of {} condition{}", layer_sizes(moving, mlp_hidden(config.settings)),
      weights_of(config.settings) == WeightsOf::film ? "scaled and shifted" : "made",
      config.settings.count("maker"), config.n_conditions, config.n_conditions == 1 ? "" : "s");
}

// Where sums are kept beside activations, both.
std::size_t mlp_kept_values(const NetworkConfig& config) {
  return (config.n_conditions > 0 ? 2 : 1) * layer_values(config, mlp_hidden(config.settings));
}

}  // namespace

NetworkKind mlp_kind() {
  return {
      .name = "mlp",
      .noun = "an mlp",
      .about = "fully connected",
      .domain = Domain::scalars,
      .can_be_monotone = true,
      .takes_conditions = true,
      .keys = {{.info = {.name = "hidden",
                         .type = KeyType::counts,
                         .range = Range::layer_size,
                         .about = "sizes of the hidden layers"},
                .missing = "`hidden` layers",
                .missing_help = "add their sizes, such as hidden = [64, 64]; [] makes it linear"},
               {.info = {.name = "weights",
                         .type = KeyType::choice,
                         .fallback = "own",
                         .choices = {"own", "film", "hyper"},
                         .about =
                             "whose the weights are: its own; with `film` the sums of every hidden layer are "
                             "scaled and shifted by outputs of a network of the `conditions`; with `hyper` "
                             "such a network makes all weights"}},
               {.info = {.name = "maker",
                         .type = KeyType::count,
                         .fallback = "16",
                         .range = Range::layer_size,
                         .about = "hidden units of the network of the conditions"}},
               activation_key()},
      .check = mlp_mistakes,
      .hidden = [](const NetworkSettings& settings) { return mlp_hidden(settings); },
      .kept_values = mlp_kept_values,
      .describe = describe_mlp,
      .make_float = make_mlp_of<float>,
      .make_double = make_mlp_of<double>,
      .examples = mlp_examples()};
}

}  // namespace greybox
