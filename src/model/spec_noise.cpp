// Reads [noise].
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_name.hpp"
#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

constexpr std::string_view kEstimate = "estimate";
const std::vector<std::string> kEstimates = {std::string(kEstimate)};

const std::string* text_of(const Section& section, std::string_view key, const toml::table& table) {
  const auto* text = section.has(key) ? table.get_as<std::string>(key) : nullptr;
  return text != nullptr ? &text->get() : nullptr;
}

bool is_constant(const Equation& equation) {
  try {
    constant_value(*equation.syntax);
  } catch (const EquationError&) {
    return false;
  }
  return true;
}

// A number, an equation, or left to be estimated.
void read_spread(Section& section, std::string_view key, const toml::table& table, NoiseSpec& spec) {
  const std::string* text = text_of(section, key, table);
  spec.is_estimated = !section.has(key) || (text != nullptr && *text == kEstimate);
  if (spec.is_estimated) return;
  if (text != nullptr) {
    std::optional<Equation> equation = section.equation(key);
    if (equation->syntax == nullptr) return;
    if (equation->syntax->kind == SyntaxKind::name && nearest_name(*text, kEstimates)) {
      section.refuse_key(key, fmt::format("`{}` is neither a number nor \"{}\"", *text, kEstimate),
                         fmt::format("write {} = \"{}\", a number, or an equation", key, kEstimate));
      return;
    }
    if (!is_constant(*equation)) {
      equation->where = fmt::format("the noise of `{}`", spec.name);
      spec.equation = std::move(equation);
      return;
    }
  }
  spec.spread = section.number(key);
}

void refuse_idle_keys(Section& section, const NoiseSpec& spec, const NoiseFamily& family) {
  for (std::string_view key : {"sd", "dispersion", "df"}) {
    const bool is_used = key == family.spread_key || (key == "df" && spec.kind == NoiseKind::student);
    if (is_used || !section.has(key)) continue;
    section.refuse_key(key, fmt::format("{} noise has no `{}`", family.name, key),
                       family.spread_key.empty()
                           ? "remove it, or choose kind = \"negative_binomial\" with a `dispersion`"
                           : fmt::format("remove it; its parameter is `{}`", family.spread_key));
  }
}

NoiseSpec read_one(TomlDocument& document, const Entry& entry) {
  NoiseSpec spec{.name = entry.name, .name_span = entry.name_span};
  const toml::table* table = entry.value->as_table();
  if (table == nullptr) {
    document.mistakes().add(
        entry.value_span,
        fmt::format("the noise of `{}` must be a table, and is {}", entry.name, describe(*entry.value)),
        fmt::format("write {} = {{ kind = \"normal\", sd = 0.1 }}, or sd = \"estimate\"", entry.name));
    return spec;
  }
  Section section(document, table_info("noise.NAME"), table, entry.name_span, entry.name);
  spec.kind = section.choice<NoiseKind>("kind");
  const NoiseFamily& family = family_of(spec.kind);
  if (!family.spread_key.empty()) read_spread(section, family.spread_key, *table, spec);
  spec.df = section.number("df");
  refuse_idle_keys(section, spec, family);
  return spec;
}

}  // namespace

std::vector<NoiseSpec> read_noise(TomlDocument& document, const std::vector<std::string>& observed) {
  std::vector<NoiseSpec> given, noise;
  for (const Entry& entry : free_entries(document, "noise")) {
    given.push_back(read_one(document, entry));
    if (std::ranges::find(observed, entry.name) == observed.end())
      document.mistakes().add(
          entry.name_span, fmt::format("`{}` in [noise] is not an observed variable", entry.name),
          document.mistakes().suggest(
              entry.name, observed,
              fmt::format("observed are {}: noise is that of measured values", fmt::join(observed, ", "))));
  }
  if (given.empty()) return {};
  for (const std::string& name : observed) {
    const auto found = std::ranges::find(given, name, &NoiseSpec::name);
    noise.push_back(found != given.end() ? *found : NoiseSpec{.name = name, .is_estimated = true});
  }
  return noise;
}

}  // namespace greybox
