// Reads [latent].
#include <fmt/format.h>

#include <limits>

#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

std::string distribution_of(const LatentSpec& latent) {
  if (latent.prior == PriorKind::uniform) return fmt::format("uniform({}, {})", latent.low, latent.high);
  if (latent.mean) return fmt::format("normal({}, {})", latent.mean->text, latent.sd->text);
  return fmt::format("normal({}, {})", latent.prior_mean, latent.prior_sd);
}

namespace {

void check_posterior(Section& section, const LatentSpec& spec) {
  for (const auto& [given, lacking] : {std::pair("mean", "sd"), std::pair("sd", "mean")})
    if (section.has(given) && !section.has(lacking))
      section.refuse_key(given, fmt::format("the posterior of `{}` needs `{}` too", spec.name, lacking),
                         fmt::format("add `{}`, or remove both to draw from the prior", lacking));
}

void check_uniform(Section& section, const LatentSpec& spec) {
  for (std::string_view key : {"mean", "sd", "prior_mean", "prior_sd"})
    if (section.has(key))
      section.refuse_key(key, fmt::format("a latent with a uniform prior has no `{}`", key),
                         "remove it, or choose prior = \"normal\"");
  for (std::string_view key : {"low", "high"})
    if (!section.has(key))
      section.refuse_key("prior", fmt::format("the uniform prior of `{}` needs `{}`", spec.name, key),
                         fmt::format("add `{}`", key));
}

void check_adapted(Section& section, const LatentSpec& spec) {
  if (!spec.adapts) return;
  for (std::string_view key : {"mean", "sd"})
    if (section.has(key))
      section.refuse_key(key,
                         fmt::format("latent `{}` adapts, and so is not drawn from a posterior", spec.name),
                         "remove `mean` and `sd`; steps begin at `prior_mean`, in units of `prior_sd`");
  if (spec.prior == PriorKind::uniform)
    section.refuse_key("prior", fmt::format("latent `{}` adapts, and its prior must be normal", spec.name),
                       "say where steps begin by `prior_mean`, and how far they go by `prior_sd`");
}

void read_size(Section& section, LatentSpec& spec) {
  spec.is_vector = section.has("size");
  if (!spec.is_vector) return;
  spec.size = section.count("size");
  if (section.has("mean"))
    section.refuse_key(
        "size", fmt::format("the posterior of `{}` says how many components it has", spec.name), "remove it");
}

std::optional<Equation> read_moment(Section& section, std::string_view key, const LatentSpec& spec) {
  if (!section.has(key)) return std::nullopt;
  std::optional<Equation> equation = section.equation(key);
  if (equation) equation->where = fmt::format("the {} of latent `{}`", key, spec.name);
  return equation;
}

LatentSpec read_latent(TomlDocument& document, const Entry& entry) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Section section(document, table_info("latent.NAME"), entry.value->as_table(), entry.name_span, entry.name);
  LatentSpec spec;
  spec.name = entry.name;
  spec.span = entry.name_span;
  spec.prior = section.choice<PriorKind>("prior");
  spec.low = section.has("low") ? section.number("low") : -infinity;
  spec.high = section.has("high") ? section.number("high") : infinity;
  if (spec.low >= spec.high)
    section.refuse("low", fmt::format("`low` ({}) must be less than `high` ({})", spec.low, spec.high),
                   "swap or widen the bounds");
  spec.adapts = section.flag("adapts");
  check_adapted(section, spec);
  read_size(section, spec);
  if (spec.prior == PriorKind::uniform) {
    check_uniform(section, spec);
    return spec;
  }
  spec.prior_mean = section.number("prior_mean");
  spec.prior_sd = section.number("prior_sd");
  check_posterior(section, spec);
  spec.mean = read_moment(section, "mean", spec);
  spec.sd = read_moment(section, "sd", spec);
  return spec;
}

}  // namespace

std::vector<LatentSpec> read_latents(TomlDocument& document) {
  std::vector<LatentSpec> latents;
  for (const Entry& entry : free_entries(document, "latent")) {
    if (entry.value->is_table()) {
      latents.push_back(read_latent(document, entry));
      continue;
    }
    document.mistakes().add(
        entry.value_span, fmt::format("latent `{}` must be a table, and is not", entry.name),
        fmt::format(
            "write {} = {{ mean = \"…\", sd = \"…\" }}, or {{ prior = \"uniform\", low = 0, high = 1 }}",
            entry.name));
  }
  return latents;
}

}  // namespace greybox
