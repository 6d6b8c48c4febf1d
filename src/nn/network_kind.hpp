// Kinds of networks: everything that the rest of the program asks of a kind stands in one descriptor.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/key_info.hpp"
#include "nn/network.hpp"
#include "nn/network_settings.hpp"

namespace greybox {

// What a network of a given kind is made from.
struct NetworkConfig {
  std::size_t n_inputs = 0;
  std::size_t n_outputs = 0;
  // Per input: constant along a trajectory; empty for none. A kind may ignore it, and then reads such inputs
  // at every evaluation.
  std::vector<bool> is_static = {};
  // The last of the inputs, that weights are made of; 0 for kinds that cannot.
  std::size_t n_conditions = 0;
  // The grid of fields.
  std::size_t height = 1, width = 1;
  NetworkSettings settings = {};
  // Per input: 1 where outputs increase with it, -1 where they decrease, else 0; empty for none. Only kinds
  // that `can_be_monotone` are given any.
  std::vector<int> signs = {};

  std::size_t points() const { return height * width; }
};

// Values of a network's inputs and outputs. On fields, scalars among the inputs are broadcast, all outputs
// are fields, and the model needs a [grid]; on scalars, no input may be a field.
enum class Domain : std::uint8_t { scalars, fields };

// A key of the model file. A key that a kind requires says so in `missing`, the end of "network `f` has no
// …", and how to mend it. Kinds that share a key must describe it alike.
struct NetworkKey {
  KeyInfo info;
  std::string missing = {};
  std::string missing_help = {};

  bool is_required() const { return !missing.empty(); }
};

// What is wrong with the value of a key.
struct SettingMistake {
  std::string key, message, help;
};

// Why the samples of a batch depend on each other ("batch norm"), and settings without that, preferred first.
struct Coupling {
  std::string cause;
  std::vector<std::string> alternatives;
};

struct NetworkKind {
  // As written in kind = "…", and with its article, for messages: "an mlp".
  std::string name, noun;
  // Part of the documentation of the key `kind`.
  std::string about;
  Domain domain = Domain::scalars;
  // Fields must be lines: a grid of one row.
  bool needs_line = false;
  bool can_be_monotone = false;
  // Whether weights may be made of conditions (key `conditions`).
  bool takes_conditions = false;
  // In the order of the documentation; of type number, count, counts, flag, choice or text.
  std::vector<NetworkKey> keys = {};

  // Mistakes that types and ranges of the keys do not show.
  std::vector<SettingMistake> (*check)(const NetworkSettings&) = [](const NetworkSettings&) {
    return std::vector<SettingMistake>();
  };
  std::optional<Coupling> (*coupling)(const NetworkSettings&) = [](const NetworkSettings&) {
    return std::optional<Coupling>();
  };
  // As `Network::n_phases` of what is made.
  std::size_t (*n_phases)(const NetworkSettings&) = [](const NetworkSettings&) { return std::size_t{1}; };
  // Sizes of the hidden layers, first to last, for reports.
  std::vector<std::size_t> (*hidden)(const NetworkSettings&) = [](const NetworkSettings&) {
    return std::vector<std::size_t>();
  };
  // Values kept per sample and evaluation that will be differentiated.
  std::size_t (*kept_values)(const NetworkConfig&) = nullptr;
  // For a person: "mlp 6-128-2".
  std::string (*describe)(const NetworkConfig&) = nullptr;
  std::unique_ptr<Network<float>> (*make_float)(const NetworkConfig&) = nullptr;
  std::unique_ptr<Network<double>> (*make_double)(const NetworkConfig&) = nullptr;
  // Small smooth networks that together use all of the kind, for the contract test.
  std::vector<NetworkConfig> examples = {};

  template <class T>
  std::unique_ptr<Network<T>> make(const NetworkConfig& config) const {
    if constexpr (std::is_same_v<T, float>)
      return make_float(config);
    else
      return make_double(config);
  }
  const NetworkKey* find_key(std::string_view key) const;
};

// Every kind, the built-in ones first; closes the registry.
const std::deque<NetworkKind>& network_kinds();
const NetworkKind* find_network_kind(std::string_view name);

// Adds a kind, before the first model is read. Throws std::invalid_argument for a kind that is incomplete or
// does not go with the others, std::logic_error when it comes too late.
void register_network_kind(NetworkKind kind);

// The built-in kinds.
NetworkKind mlp_kind();
NetworkKind conv2d_kind();
NetworkKind conv1d_kind();

// For descriptions: "6-128-128-2".
std::string layer_sizes(const NetworkConfig& config, const std::vector<std::size_t>& hidden);
// Inputs, outputs and hidden layers together, per grid point.
std::size_t layer_values(const NetworkConfig& config, const std::vector<std::size_t>& hidden);
// The key `activation`, alike in all kinds that have it.
NetworkKey activation_key();

}  // namespace greybox
