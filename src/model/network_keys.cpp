// The keys of [network.NAME], gathered from the kinds of networks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/keys.hpp"
#include "nn/network_kind.hpp"

namespace greybox {
namespace {

// "a, or b"; "a, b, or c".
std::string one_of(const std::vector<std::string>& items) {
  std::string text = items.front();
  for (std::size_t i = 1; i < items.size(); ++i) text += (i + 1 < items.size() ? ", " : ", or ") + items[i];
  return text;
}

KeyInfo kind_key() {
  KeyInfo key{.name = "kind", .type = KeyType::choice, .fallback = network_kinds().front().name, .about = {}};
  std::vector<std::string> abouts;
  for (const NetworkKind& kind : network_kinds()) {
    key.choices.push_back(kind.name);
    abouts.push_back(kind.about);
  }
  key.about = one_of(abouts);
  return key;
}

std::vector<std::string> kinds_with(std::string_view key) {
  std::vector<std::string> names;
  for (const NetworkKind& kind : network_kinds())
    if (kind.find_key(key) != nullptr) names.push_back(kind.name);
  return names;
}

// Keys of the kinds, each once; those that every kind has come last.
std::vector<KeyInfo> settings_of_kinds() {
  std::vector<KeyInfo> keys, of_all;
  for (const NetworkKind& kind : network_kinds())
    for (const NetworkKey& key : kind.keys) {
      const std::vector<std::string> kinds = kinds_with(key.info.name);
      if (kinds.front() != kind.name) continue;
      const bool is_of_all = kinds.size() == network_kinds().size();
      KeyInfo info = key.info;
      if (!is_of_all) info.about += fmt::format(" ({})", fmt::join(kinds, ", "));
      (is_of_all ? of_all : keys).push_back(std::move(info));
    }
  keys.insert(keys.end(), of_all.begin(), of_all.end());
  return keys;
}

std::vector<KeyInfo> constraint_keys() {
  const auto of_inputs = [](const char* name, const char* about) {
    return KeyInfo{.name = name, .type = KeyType::names, .fallback = "[]", .about = about};
  };
  return {{.name = "positive",
           .type = KeyType::flag,
           .fallback = "false",
           .about = "whether all outputs are above 0"},
          {.name = "bounded",
           .type = KeyType::number_list,
           .about = "`[low, high]` that all outputs stay between"},
          of_inputs("zero_at_zero", "inputs, as `inputs` has them: outputs are 0 where all of these are 0"),
          of_inputs("odd", "outputs change their sign when all of these do"),
          of_inputs("even", "outputs stay the same when all of these change their sign"),
          of_inputs("increasing", "outputs never fall when one of these rises (mlp)"),
          of_inputs("decreasing", "outputs never rise when one of these does (mlp)"),
          {.name = "sums_to_zero",
           .type = KeyType::flag,
           .fallback = "false",
           .about = "whether the outputs add up to 0, so that what one state gains another loses"}};
}

}  // namespace

std::vector<KeyInfo> network_keys() {
  std::vector<KeyInfo> keys = {
      kind_key(),
      {.name = "inputs",
       .type = KeyType::network_inputs,
       .is_required = true,
       .about = "what goes in; \"window\" for everything observed, \"window.NAME\" in the list for an "
                "input or a column at the observed snapshots"}};
  keys.push_back(
      {.name = "conditions",
       .type = KeyType::names,
       .about = "what the weights are made of, with `weights = \"film\"` or `\"hyper\"`: equations that stay "
                "the same in a window, such as parameters (mlp)"});
  std::ranges::move(settings_of_kinds(), std::back_inserter(keys));
  keys.push_back({.name = "outputs",
                  .type = KeyType::names,
                  .is_required = true,
                  .about = "names of what comes out; `\"z[16]\"` is a vector of 16"});
  keys.push_back({.name = "scale",
                  .type = KeyType::choice,
                  .choices = {"auto", "none"},
                  .about = "whether inputs and outputs are scaled; by default as `scale` at the top says"});
  keys.push_back({.name = "input_mean",
                  .type = KeyType::number_list,
                  .about = "what is subtracted from each input, instead of what the data say"});
  keys.push_back({.name = "input_scale",
                  .type = KeyType::number_list,
                  .range = Range::positive,
                  .about = "what each input is divided by, instead of what the data say"});
  keys.push_back({.name = "output_scale",
                  .type = KeyType::number_list,
                  .range = Range::positive,
                  .about = "what each output is multiplied by, instead of what the data say"});
  std::ranges::move(constraint_keys(), std::back_inserter(keys));
  return keys;
}

}  // namespace greybox
