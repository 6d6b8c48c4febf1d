// Reads [solver], [train] and tables of equations.
#include <fmt/format.h>

#include <initializer_list>
#include <tuple>

#include "model/settled_method.hpp"
#include "model/spec_reader.hpp"
#include "model/toml_section.hpp"

namespace greybox {

namespace {

constexpr std::size_t kMostStarts = 10'000, kMostTailoringSteps = 1000;

// A key that would silently do nothing is as misleading as an unknown one.
void refuse_idle_keys(Section& section, const Tableau& tableau, bool is_automatic) {
  if (tableau.is_adaptive() && section.has("step"))
    section.refuse_key("step",
                       fmt::format("`step` has no effect: {} chooses its steps",
                                   is_automatic ? "method = \"auto\"" : tableau.name),
                       "remove it and set `relative_tolerance`, or choose a fixed-step method such as rk4");
  if (tableau.is_adaptive()) return;
  for (std::string_view key : {"relative_tolerance", "absolute_tolerance", "max_steps"})
    if (section.has(key))
      section.refuse_key(key, fmt::format("`{}` has no effect: {} has fixed steps", key, tableau.name),
                         "set `step` instead, or choose a method such as tsit5");
}

// What an equation of a table is called in messages.
std::string place_of(std::string_view table, const std::string& name) {
  if (table == "state") return fmt::format("the initial value of `{}`", name);
  if (table == "define") return fmt::format("the definition of `{}`", name);
  if (table == "observe") return fmt::format("the observation of `{}`", name);
  if (table == "data_driven") return fmt::format("the data-driven part of `{}`", name);
  if (table == "estimator") return fmt::format("the estimator of `{}`", name);
  if (table == "regularizers") return fmt::format("the regularizer `{}`", name);
  return fmt::format("the {} of `{}`", table, name);  // theory, composition
}

}  // namespace

std::vector<Equation> read_equations(TomlDocument& document, std::string_view table) {
  std::vector<Equation> equations;
  for (const Entry& entry : free_entries(document, table)) {
    equations.push_back(document.equation(entry));
    equations.back().where = place_of(table, equations.back().name);
  }
  return equations;
}

// Every name is a key of its own.
std::vector<GivenScale> read_scales(TomlDocument& document) {
  const std::vector<Entry> entries = free_entries(document, "scales");
  TableInfo info{.name = "scales", .contents = Contents::numbers, .about = {}};
  for (const Entry& entry : entries)
    info.keys.push_back({.name = entry.name,
                         .type = KeyType::number,
                         .fallback = "1",
                         .range = Range::positive,
                         .about = "a typical size of its variation"});
  Section section(document, info, entries, {});
  std::vector<GivenScale> scales;
  for (const Entry& entry : entries)
    scales.push_back({entry.name, entry.name_span, section.number(entry.name)});
  return scales;
}

SolverSpec read_solver(TomlDocument& document) {
  Section section = top_section(document, "solver");
  SolverSpec spec;
  spec.span = section.place();
  spec.is_given = spec.span.line > 0;
  const std::size_t method = section.choice_index("method");
  spec.is_automatic = method == tableaux().size();
  spec.options.tableau = spec.is_automatic ? find_tableau(kMethodForNonStiff) : &tableaux()[method];
  if (section.has("step")) spec.options.step = section.number("step");
  spec.options.relative_tolerance = section.number("relative_tolerance");
  spec.options.absolute_tolerance = section.number("absolute_tolerance");
  spec.options.max_steps = section.count("max_steps");
  spec.options.weighting = section.choice<Weighting>("means");
  refuse_idle_keys(section, *spec.options.tableau, spec.is_automatic);
  return spec;
}

namespace {

// Files that say how long, how fast or in which portions to learn are followed to the letter.
Recipe recipe_of(Section& section) {
  if (section.has("recipe")) return section.choice<Recipe>("recipe");
  const bool is_told = section.has("epochs") || section.has("batch") || section.has("rate");
  return is_told ? Recipe::paper : Recipe::automatic;
}

TailoringSpec read_tailored(Section& train) {
  Section section = train.table("tailored");
  TailoringSpec spec{.steps = section.count("steps"),
                     .rate = section.number("rate"),
                     .second_order = section.flag("second_order")};
  if (spec.steps > kMostTailoringSteps)
    section.refuse("steps",
                   fmt::format("`steps` is {}, and may be at most {}", spec.steps, kMostTailoringSteps),
                   "every step costs as much as a step of a training: a few are usual");
  return spec;
}

}  // namespace

TrainSpec read_train(TomlDocument& document) {
  Section section = top_section(document, "train");
  TrainSpec spec;
  if (const auto regularizer = section.equation("regularizer")) {
    spec.regularizer = regularizer->text;
    spec.regularizer_span = regularizer->text_span;
  }
  spec.is_epochs_given = section.has("epochs");
  spec.is_batch_given = section.has("batch");
  spec.is_rate_given = section.has("rate");
  spec.recipe = recipe_of(section);
  spec.lambda = section.number("lambda");
  if (section.has("loss_weight")) spec.loss_weight = section.equation("loss_weight");
  spec.weigh = section.choice<LossWeighting>("weigh");
  spec.epochs = section.count("epochs");
  spec.batch = section.count("batch");
  spec.draws = section.count("draws");
  spec.starts = section.count("starts");
  if (spec.starts > kMostStarts)
    section.refuse("starts", fmt::format("`starts` is {}, and may be at most {}", spec.starts, kMostStarts),
                   "a few dozen are many");
  if (section.has("grow")) spec.grow = section.count("grow");
  std::tie(spec.rate_start, spec.rate_end) = section.pair("rate");
  spec.weight_decay = section.number("weight_decay");
  spec.clip_value = section.number("clip_value");
  spec.clip_norm = section.number("clip_norm");
  spec.validate_every = section.count("validate_every");
  spec.patience = section.count("patience");
  spec.keep_best = section.flag("keep_best");
  for (std::string_view key : {"patience", "keep_best"})
    if (spec.validate_every == 0 && (key == "patience" ? spec.patience > 0 : spec.keep_best))
      section.refuse_key(key, fmt::format("`{}` needs validations, and `validate_every = 0` makes none", key),
                         fmt::format("set `validate_every` to 1 or more, or remove `{}`", key));
  spec.checkpoint_seconds = section.number("checkpoint_seconds");
  spec.precision = section.choice<Precision>("precision");
  spec.is_precision_given = section.has("precision");
  spec.precision_span = section.key_place("precision");
  Section aphynity = section.table("aphynity");
  spec.aphynity = {
      .lambda0 = aphynity.number("lambda0"), .tau = aphynity.number("tau"), .every = aphynity.count("every")};
  spec.tailored = read_tailored(section);
  return spec;
}

}  // namespace greybox
