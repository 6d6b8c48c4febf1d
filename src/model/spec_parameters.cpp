// Reads [parameters].
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

std::string to_string(PriorKind prior) {
  return table_info("parameters.NAME").find("prior")->choices[static_cast<std::size_t>(prior)];
}

namespace {

// What a prior needs beside the optional bounds.
std::vector<std::string_view> needed_keys(PriorKind prior) {
  switch (prior) {
    case PriorKind::uniform:
      return {"low", "high"};
    case PriorKind::beta:
      return {"alpha", "beta"};
    case PriorKind::truncated_normal:
      return {"mean", "sd", "low", "high"};
    default:
      return {"mean", "sd"};
  }
}

void check_keys(Section& section, const ParameterSpec& spec) {
  for (std::string_view key : needed_keys(spec.prior))
    if (!section.has(key))
      section.refuse_key(
          "prior", fmt::format("the {} prior of `{}` needs `{}`", to_string(spec.prior), spec.name, key),
          fmt::format("add `{}`: {}", key, table_info("parameters.NAME").find(key)->about));
  const auto refuse = [&](std::initializer_list<std::string_view> keys, const std::string& help) {
    for (std::string_view key : keys)
      if (section.has(key))
        section.refuse_key(key, fmt::format("a {} prior has no `{}`", to_string(spec.prior), key), help);
  };
  if (spec.prior != PriorKind::beta)
    refuse({"alpha", "beta"}, "remove it, or choose prior = \"beta\"");
  else
    refuse({"mean", "sd", "low", "high"}, "it lies between 0 and 1: remove it, or choose another prior");
  if (spec.prior == PriorKind::uniform)
    refuse({"mean", "sd"}, "remove it, or choose prior = \"truncated_normal\"");
}

void check_learned(Section& section, const ParameterSpec& spec) {
  if (!spec.learned) return;
  if (spec.prior == PriorKind::beta)
    section.refuse_key("learned", "a beta prior cannot be fitted",
                       "remove `learned`, or choose another prior");
  if (spec.draw == DrawPer::batch)
    section.refuse_key("learned", "a prior that is drawn once per batch cannot be fitted",
                       "remove `learned` or `draw`");
}

void check_bounds(Section& section, const ParameterSpec& spec) {
  if (spec.low >= spec.high)
    section.refuse("low", fmt::format("`low` ({}) must be less than `high` ({})", spec.low, spec.high),
                   "swap or widen the bounds");
  for (std::string_view key : {"low", "high"})
    if (spec.prior == PriorKind::uniform && section.has(key) &&
        std::isinf(key == "low" ? spec.low : spec.high))
      section.refuse(key, "a uniform prior needs finite bounds", "choose a finite one, or another prior");
  if (spec.prior == PriorKind::lognormal && section.has("low") && spec.low < 0)
    section.refuse("low", "a lognormal parameter is never negative", "make `low` 0 or more, or remove it");
}

bool reads_log(Section& section, const ParameterSpec& spec) {
  const bool is_lognormal = spec.prior == PriorKind::lognormal;
  if (!section.has("scale")) return is_lognormal;
  enum class ParameterScale : std::uint8_t { linear, log };
  if (section.choice<ParameterScale>("scale") == ParameterScale::linear) return false;
  if (!is_lognormal && !(spec.low > 0))
    section.refuse("scale", fmt::format("`{}` may be 0 or negative, which has no logarithm", spec.name),
                   "give it a `low` above 0, or prior = \"lognormal\"");
  return true;
}

std::optional<double> read_start(Section& section, const ParameterSpec& spec) {
  if (!section.has("start")) return {};
  const double start = section.number("start");
  if (start < spec.low || start > spec.high)
    section.refuse("start",
                   fmt::format("`start` ({}) is outside the bounds {} to {}", start, spec.low, spec.high),
                   "choose a value within them");
  return start;
}

// A value that was reported as wrong is not-a-number, which no later check complains about.
double number_or(Section& section, std::string_view key, double fallback) {
  return section.has(key) ? section.number(key) : fallback;
}

ParameterSpec read_parameter(TomlDocument& document, const Entry& entry) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Section section(document, table_info("parameters.NAME"), entry.value->as_table(), entry.name_span,
                  entry.name);
  ParameterSpec spec;
  spec.name = entry.name;
  spec.span = entry.name_span;
  spec.prior = section.choice<PriorKind>("prior");
  const bool is_beta = spec.prior == PriorKind::beta;
  spec.low = number_or(section, "low", is_beta || spec.prior == PriorKind::lognormal ? 0 : -infinity);
  spec.high = number_or(section, "high", is_beta ? 1 : infinity);
  spec.mean = number_or(section, "mean", 0);
  spec.sd = number_or(section, "sd", 1);
  spec.alpha = number_or(section, "alpha", 1);
  spec.beta = number_or(section, "beta", 1);
  spec.draw = section.choice<DrawPer>("draw");
  spec.learned = section.flag("learned");
  spec.unit = section.text("unit");
  spec.about = section.text("about");
  if (section.has("prior")) check_keys(section, spec);
  check_bounds(section, spec);
  check_learned(section, spec);
  spec.is_log = reads_log(section, spec);
  spec.start = read_start(section, spec);
  return spec;
}

}  // namespace

std::vector<ParameterSpec> read_parameters(TomlDocument& document) {
  std::vector<ParameterSpec> parameters;
  for (const Entry& entry : free_entries(document, "parameters")) {
    if (!entry.value->is_table())
      document.mistakes().add(
          entry.value_span,
          fmt::format("parameter `{}` must be a table, and is {}", entry.name, describe(*entry.value)),
          fmt::format(
              "write {} = {{ prior = \"uniform\", low = 0, high = 1 }}; a fixed number belongs in [define]",
              entry.name));
    parameters.push_back(read_parameter(document, entry));
  }
  return parameters;
}

}  // namespace greybox
