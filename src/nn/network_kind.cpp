// The registry of network kinds, and what kinds of layered networks share.
#include "nn/network_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/registry.hpp"

namespace greybox {
namespace {

Registry<NetworkKind>& registry() {
  static Registry<NetworkKind> kinds({mlp_kind(), conv2d_kind(), conv1d_kind()});
  return kinds;
}

void refuse_unless(bool is_right, const NetworkKind& kind, std::string_view message) {
  if (!is_right) throw std::invalid_argument(fmt::format("network kind `{}` {}", kind.name, message));
}

// Keys that every network has.
bool is_taken(const NetworkKey& key) {
  return key.info.name == "kind" || key.info.name == "inputs" || key.info.name == "outputs";
}

bool is_setting(const NetworkKey& key) {
  using enum KeyType;
  constexpr KeyType types[] = {number, count, counts, flag, choice, text};
  return std::ranges::find(types, key.info.type) != std::end(types);
}

void check_alone(const NetworkKind& kind) {
  refuse_unless(!kind.name.empty() && !kind.noun.empty() && !kind.about.empty(), kind, "has no description");
  refuse_unless(kind.kept_values && kind.describe && kind.make_float && kind.make_double, kind,
                "lacks a function");
  refuse_unless(!kind.examples.empty(), kind, "has no examples");
  refuse_unless(std::ranges::all_of(kind.keys, is_setting), kind, "has a key of a type that is no setting");
  refuse_unless(std::ranges::none_of(kind.keys, is_taken), kind, "has a key that every network has");
}

void check_beside(const NetworkKind& kind, const NetworkKind& other) {
  refuse_unless(kind.name != other.name, kind, "is registered twice");
  for (const NetworkKey& key : kind.keys)
    if (const NetworkKey* shared = other.find_key(key.info.name))
      refuse_unless(shared->info == key.info, kind,
                    fmt::format("and `{}` describe the key `{}` differently", other.name, key.info.name));
}

}  // namespace

const NetworkKey* NetworkKind::find_key(std::string_view key) const {
  const auto found = std::ranges::find_if(keys, [&](const NetworkKey& k) { return k.info.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const std::deque<NetworkKind>& network_kinds() {
  return registry().items();
}

const NetworkKind* find_network_kind(std::string_view name) {
  const auto found = std::ranges::find(network_kinds(), name, &NetworkKind::name);
  return found == network_kinds().end() ? nullptr : &*found;
}

void register_network_kind(NetworkKind kind) {
  check_alone(kind);
  registry().add(kind, [&](const std::deque<NetworkKind>& others) {
    for (const NetworkKind& other : others) check_beside(kind, other);
  });
}

std::string layer_sizes(const NetworkConfig& config, const std::vector<std::size_t>& hidden) {
  std::string sizes = fmt::format("{}", config.n_inputs);
  for (std::size_t width : hidden) sizes += fmt::format("-{}", width);
  return sizes + fmt::format("-{}", config.n_outputs);
}

std::size_t layer_values(const NetworkConfig& config, const std::vector<std::size_t>& hidden) {
  return std::accumulate(hidden.begin(), hidden.end(), config.n_inputs + config.n_outputs);
}

// Choices in the order of `Activation`.
NetworkKey activation_key() {
  return {.info = {.name = "activation",
                   .type = KeyType::choice,
                   .fallback = "leaky_relu",
                   .choices = {"leaky_relu", "relu", "tanh", "silu", "softplus", "gelu", "sigmoid"},
                   .about = "of the hidden layers"}};
}

}  // namespace greybox
