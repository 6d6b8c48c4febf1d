// Reads [state]: equations, and tables that say more about where a state starts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

std::string to_string(StartOwner owner) {
  return table_info("state.NAME").find("per")->choices[static_cast<std::size_t>(owner)];
}

bool ModelSpec::has_learned_starts() const {
  for (const StartSpec& start : starts)
    if (start.kind == StartKind::learned) return true;
  return false;
}

namespace {

constexpr std::array<std::string_view, 3> kStartWords = {"equation", "learned", "smooth"};

struct StartKey {
  std::string_view name;
  StartKind kind;
};
// Keys that only one kind of start has; `mean` and `sd` also depend on the prior.
constexpr std::array<StartKey, 8> kStartKeys = {{{"equation", StartKind::equation},
                                                 {"prior", StartKind::learned},
                                                 {"mean", StartKind::learned},
                                                 {"sd", StartKind::learned},
                                                 {"low", StartKind::learned},
                                                 {"high", StartKind::learned},
                                                 {"per", StartKind::learned},
                                                 {"order", StartKind::smooth}}};

void refuse_other_keys(Section& section, const StartSpec& spec) {
  for (const StartKey& key : kStartKeys) {
    const bool is_known = key.kind == spec.kind || (key.name == "equation" && spec.kind == StartKind::smooth);
    if (is_known || !section.has(key.name)) continue;
    const std::string_view start = kStartWords[static_cast<std::size_t>(spec.kind)];
    section.refuse_key(key.name, fmt::format("a start by `{}` has no `{}`", start, key.name),
                       spec.kind == StartKind::learned
                           ? "remove it; what is known of a learned start is the `mean` of its prior, which "
                             "may be an equation"
                           : fmt::format("remove it, or choose start = \"{}\"",
                                         kStartWords[static_cast<std::size_t>(key.kind)]));
  }
}

void refuse_keys_of_other_priors(Section& section, const StartSpec& spec) {
  const bool is_uniform = spec.prior == PriorKind::uniform;
  for (std::string_view key : {"mean", "sd", "low", "high"}) {
    const bool is_bound = key == "low" || key == "high";
    if (is_bound == is_uniform && !section.has(key))
      section.refuse_key("prior",
                         fmt::format("the {} prior of a start needs `{}`", to_string(spec.prior), key),
                         fmt::format("add `{}`: {}", key, table_info("state.NAME").find(key)->about));
    if (is_bound != is_uniform && section.has(key))
      section.refuse_key(key, fmt::format("a {} prior has no `{}`", to_string(spec.prior), key),
                         is_uniform ? "remove it, or choose prior = \"normal\""
                                    : "remove it, or choose prior = \"uniform\"");
  }
}

Equation number_equation(double value) {
  Equation equation;
  equation.text = fmt::format("{}", value);
  equation.is_literal = false;
  if (std::isfinite(value)) equation.syntax = parse_equation(equation.text);
  return equation;
}

// The mean, a number or an equation; of a uniform prior the middle of its bounds.
Equation centre_of(Section& section, const toml::table& table, const StartSpec& spec) {
  if (spec.prior == PriorKind::uniform) return number_equation((spec.low + spec.high) / 2);
  if (table.get_as<std::string>("mean") != nullptr) return section.equation("mean").value_or(Equation{});
  return number_equation(section.has("mean") ? section.number("mean") : 0);
}

Equation read_learned(Section& section, const toml::table& table, StartSpec& spec) {
  spec.prior = section.choice<PriorKind>("prior");
  refuse_keys_of_other_priors(section, spec);
  spec.per = section.choice<StartOwner>("per");
  if (section.has("low")) spec.low = section.number("low");
  if (section.has("high")) spec.high = section.number("high");
  if (section.has("sd")) spec.sd = section.number("sd");
  if (spec.prior == PriorKind::uniform && section.has("low") && section.has("high") && spec.low >= spec.high)
    section.refuse("low", fmt::format("`low` ({}) must be less than `high` ({})", spec.low, spec.high),
                   "swap or widen the bounds");
  return centre_of(section, table, spec);
}

Equation read_table(Section& section, const toml::table& table, const Entry& entry, StartSpec& spec) {
  spec.kind = section.choice<StartKind>("start");
  const toml::value<std::string>* word = table.get_as<std::string>("start");
  const bool is_said = section.has("start");
  // What follows from a word that nobody knows is not told.
  if (is_said && (word == nullptr || std::ranges::find(kStartWords, word->get()) == kStartWords.end()))
    return {};
  refuse_other_keys(section, spec);
  if (spec.kind == StartKind::learned) return read_learned(section, table, spec);
  if (spec.kind == StartKind::smooth) spec.order = section.count("order");
  if (!section.has("equation"))
    section.refuse_key("start", fmt::format("nothing says what the state `{}` starts from", entry.name),
                       fmt::format("add equation = \"{}\", of columns of the data", entry.name));
  return section.equation("equation").value_or(Equation{});
}

}  // namespace

ReadStates read_states(TomlDocument& document) {
  ReadStates states;
  for (const Entry& entry : free_entries(document, "state")) {
    StartSpec spec;
    const toml::table* table = entry.value->as_table();
    if (table != nullptr) {
      Section section(document, table_info("state.NAME"), table, entry.name_span, entry.name);
      states.equations.push_back(read_table(section, *table, entry, spec));
    } else {
      states.equations.push_back(document.equation(entry));
    }
    Equation& equation = states.equations.back();
    equation.name = entry.name;
    equation.name_span = entry.name_span;
    if (equation.text_span.line == 0) equation.text_span = entry.value_span;
    equation.where = fmt::format("the initial value of `{}`", entry.name);
    states.starts.push_back(spec);
  }
  return states;
}

}  // namespace greybox
