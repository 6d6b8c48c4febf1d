#include "model/name_collisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace greybox {
namespace {

class CollisionCheck {
 public:
  CollisionCheck(const ModelSpec& spec, const DataTable& table) : spec_(spec), table_(table) {}

  void run() {
    for (const ParameterSpec& parameter : spec_.parameters)
      check(parameter.name, parameter.span, "a parameter");
    for (const Equation& equation : spec_.definitions)
      check(equation.name, equation.name_span, "a definition");
    for (const NetworkSpec& network : spec_.networks) check(network.name, network.span, "a network");
    for (std::size_t j = 0; j < spec_.inputs.size(); ++j) {
      const Equation& input = spec_.inputs[j];
      const bool is_other_column = !spec_.signals[j].file.empty() || input.syntax->kind != SyntaxKind::name ||
                                   input.syntax->text != input.name;
      if (is_other_column) check(input.name, input.name_span, "an input");
    }
    for (const Equation& state : spec_.state) check_state(state);
    check_words();
    if (!found_.empty()) throw InputError(std::move(found_));
  }

 private:
  // Where the column of that name stands.
  std::optional<std::string> place_of(const std::string& name) const {
    for (const Equation& column : spec_.data.columns)
      if (column.name == name) return fmt::format("[data.columns], line {}", column.name_span.line);
    if (table_.find(name) == nullptr) return std::nullopt;
    return table_.file;
  }

  // As in the file, whatever [data.rename] made of it.
  std::string name_in_file(const std::string& name) const {
    for (const auto& [to, from] : spec_.data.table.renamed)
      if (to == name) return from;
    return name;
  }

  std::string remedy(const std::string& name, std::string_view what) const {
    const auto is_it = [&](const Equation& column) { return column.name == name; };
    const bool is_made = std::ranges::any_of(spec_.data.columns, is_it);
    const std::string rename = fmt::format(
        "write {0}_data = \"{1}\" in [data.rename] to call the column `{0}_data`", name, name_in_file(name));
    return fmt::format("rename {}{}", what, is_made ? ", or the column" : ", or " + rename);
  }

  // `state` of `a state that …`.
  static std::string_view name_of(std::string_view what) {
    what.remove_prefix(what.find(' ') + 1);
    return what.substr(0, what.find(' '));
  }

  void check(const std::string& name, const SourceSpan& span, std::string_view what) {
    const auto column = place_of(name);
    if (!column) return;
    found_.push_back(at(*spec_.source, span,
                        fmt::format("`{}` is {} and also a column of the data ({})", name, what, *column),
                        remedy(name, fmt::format("the {}", name_of(what)))));
  }

  // A state may be called like the column that it starts from, or is compared with; and one that starts from
  // no column like one that nothing reads.
  void check_state(const Equation& state) {
    if (!state.syntax || !reads_column(*state.syntax) || reads(*state.syntax, state.name)) return;
    for (const Equation& observed : spec_.observe)
      if (observed.name == state.name && reads(*observed.syntax, state.name)) return;
    check(state.name, state.name_span, "a state that starts from other columns");
  }

  bool reads_column(const Syntax& syntax) const {
    return (syntax.kind == SyntaxKind::name && place_of(syntax.text)) ||
           std::ranges::any_of(syntax.children,
                               [&](const SyntaxPtr& child) { return child && reads_column(*child); });
  }

  static bool reads(const Syntax& syntax, const std::string& name) {
    return (syntax.kind == SyntaxKind::name && syntax.text == name) ||
           std::ranges::any_of(syntax.children,
                               [&](const SyntaxPtr& child) { return child && reads(*child, name); });
  }

  // Words of the language that hide a column.
  void check_words() {
    for (const auto* group :
         {&spec_.data.columns, &spec_.inputs, &spec_.definitions, &spec_.state, &spec_.theory,
          &spec_.data_driven, &spec_.composition, &spec_.observe, &spec_.estimator, &spec_.regularizers})
      for (const Equation& equation : *group) check_words(*equation.syntax, equation);
    for (const NetworkSpec& network : spec_.networks)
      for (const Equation& input : network.inputs) check_words(*input.syntax, input);
    if (spec_.data.drop) check_words(*spec_.data.drop->syntax, *spec_.data.drop);
  }

  void check_words(const Syntax& syntax, const Equation& equation) {
    struct Word {
      std::string_view name, meaning;
    };
    static constexpr auto words = std::to_array<Word>(
        {{"t", "the time"}, {"t0", "the time of the window's first snapshot"}, {"pi", "3.14159…"}});
    for (const Word& word : words)
      if (syntax.text == word.name) check_word(syntax, equation, word.meaning);
    if (spec_.coordinate(syntax.text)) check_word(syntax, equation, "a coordinate of the [grid]");
    for (const SyntaxPtr& child : syntax.children) check_words(*child, equation);
  }

  void check_word(const Syntax& syntax, const Equation& equation, std::string_view meaning) {
    if (syntax.kind != SyntaxKind::name || table_.find(syntax.text) == nullptr) return;
    found_.push_back(at(
        *spec_.source, equation, syntax.range,
        fmt::format("`{}` is {} here, and also a column of the data ({})", syntax.text, meaning, table_.file),
        fmt::format("write {0}_data = \"{1}\" in [data.rename] to call the column `{0}_data`{2}", syntax.text,
                    name_in_file(syntax.text),
                    syntax.text == "t" ? ", or time = \"t\" in [data] if it is the time" : "")));
  }

  const ModelSpec& spec_;
  const DataTable& table_;
  std::vector<Diagnostic> found_;
};

}  // namespace

void refuse_collisions(const ModelSpec& spec, const DataTable& table) {
  CollisionCheck(spec, table).run();
}

}  // namespace greybox
