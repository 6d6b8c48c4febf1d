// Reads the keys of [network.NAME] that belong to the network's kind.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {
namespace {

NetworkSettings::Value read_setting(Section& section, const KeyInfo& key) {
  switch (key.type) {
    case KeyType::number:
      return section.number(key.name);
    case KeyType::count:
      return section.count(key.name);
    case KeyType::counts:
      return section.counts(key.name);
    case KeyType::flag:
      return section.flag(key.name);
    case KeyType::choice:
      return section.choice_index(key.name);
    default:
      return section.text(key.name);
  }
}

struct ForeignKey {
  const NetworkKey* key;
  std::vector<std::string> kinds;
};

// Given keys that only other kinds have.
std::vector<ForeignKey> foreign_keys(const Section& section, const NetworkKind& kind) {
  std::vector<ForeignKey> found;
  for (const NetworkKind& other : network_kinds())
    for (const NetworkKey& key : other.keys) {
      if (kind.find_key(key.info.name) != nullptr || !section.has(key.info.name)) continue;
      const auto same =
          std::ranges::find_if(found, [&](const ForeignKey& f) { return f.key->info.name == key.info.name; });
      if (same != found.end())
        same->kinds.push_back(other.name);
      else
        found.push_back({&key, {other.name}});
    }
  return found;
}

// A key that its own kind requires stands for one that this kind requires.
void refuse_foreign(Section& section, const NetworkKind& kind, const ForeignKey& foreign) {
  const std::string_view key = foreign.key->info.name;
  const auto own = std::ranges::find_if(kind.keys, &NetworkKey::is_required);
  const bool has_counterpart = foreign.key->is_required() && own != kind.keys.end();
  section.refuse_key(
      key, fmt::format("`{}` belongs to networks of kind {}", key, fmt::join(foreign.kinds, " or ")),
      fmt::format("{}, or {}kind = \"{}\"",
                  has_counterpart ? fmt::format("write `{}` for {}", own->info.name, kind.noun) : "remove it",
                  has_counterpart ? "" : "write ", foreign.kinds.front()));
}

}  // namespace

NetworkSettings read_network_settings(Section& section, const NetworkKind& kind, std::string_view name) {
  NetworkSettings settings;
  for (const NetworkKey& key : kind.keys) settings.set(key.info.name, read_setting(section, key.info));
  const std::vector<ForeignKey> foreign = foreign_keys(section, kind);
  for (const ForeignKey& key : foreign) refuse_foreign(section, kind, key);
  const bool is_mistaken =
      std::ranges::any_of(foreign, [](const ForeignKey& f) { return f.key->is_required(); });
  for (const NetworkKey& key : kind.keys)
    if (key.is_required() && !section.has(key.info.name) && !is_mistaken)
      section.refuse_key("kind", fmt::format("network `{}` has no {}", name, key.missing), key.missing_help);
  for (const SettingMistake& mistake : kind.check(settings))
    section.refuse(mistake.key, mistake.message, mistake.help);
  return settings;
}

}  // namespace greybox
