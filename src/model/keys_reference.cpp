// Writes the table of keys as the reference page of the documentation.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/operation.hpp"
#include "model/keys.hpp"

namespace greybox {

namespace {

constexpr std::string_view introduction =
    R"md(# The model file

A model is one TOML file. Numbers may also be written as constant expressions in quotes: `"2/31"`, `"-pi"`, `"log(3)"`.
A key or table that is not listed here is an error. This page is made from the tables that the reader itself uses
(`src/model/keys.cpp`, `src/nn/*_kind.cpp`, `src/language/operation_table.hpp`); a test keeps it up to date.
)md";

constexpr std::string_view equations =
    R"md(
## Equations
Equations are texts in quotes: numbers (`1`, `1.5`, `.5`, `1e-3`), names, `+ - * / ^`, comparisons `< <= > >= == !=` (which
give 1 or 0), brackets and functions. `^` binds tightest and to the right, so `-a^2` is `-(a^2)`. Names have letters of any
script, digits and `_`; `theory.angle` is a component, `enc.z[3]` an element, counted from 0. Text in triple quotes may go
over several lines. `pi`, the time `t` since the window's first snapshot, the time `t0` of that snapshot and `clock`, the
time of the data, are always known (in `[inputs]` and `[data]`, where rows know no window, `t` is the clock too; write
`clock`); with a `[grid]`, so are the coordinates `x` and `y` of its points ([grids](grids.md)). A parameter, definition, network or input must not be called like a column of the data, unless the input is that
column; states are called like the columns they start from. `theory` and `network` are the two parts of the model;
regularizers also have `mean(x)` over samples and evaluations, `mean(at_data(x))` over the snapshots of the data, with the states
that were measured there ([means](runs.md#the-modes)), `norm2(v)` (the sum of squares) and `dot(v, w)`. In `norm2` and
`dot`, components of `theory` and `network` count in units of the scale of their state. With [latents](latents.md) come `kl(z)`,
`solution(x)`, `window.x`, `at_snapshot(v)`, and networks that are called like functions.

| function | |
|---|---|
)md";

std::string functions() {
  std::string rows;
  for (const OperationInfo& operation : operations())
    if (find_function(operation.name))
      rows += fmt::format("| `{}` | {} |\n", operation.name, operation.about);
  return rows;
}

std::string quoted_choices(const KeyInfo& key) {
  std::vector<std::string> quoted;
  for (const std::string& choice : key.choices) quoted.push_back(fmt::format("`\"{}\"`", choice));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

std::string numbers(std::string_view noun, Range range) {
  if (range == Range::finite || range == Range::any) return std::string(noun);
  return fmt::format("{}, {}", noun, describe(range));
}

std::string type_of(const KeyInfo& key) {
  switch (key.type) {
    case KeyType::text:
      return "text";
    case KeyType::text_or_names:
      return "text or list of texts";
    case KeyType::number_or_duration:
      return numbers("number or duration such as `\"2 days\"`", key.range);
    case KeyType::number:
      return numbers("number", key.range);
    case KeyType::number_or_pair:
      return numbers("number or list of two", key.range);
    case KeyType::number_or_equation:
      return numbers("number", key.range) + "; an equation; or `\"estimate\"`";
    case KeyType::number_list:
      return numbers("list of numbers", key.range);
    case KeyType::count:
      return numbers("whole number", key.range);
    case KeyType::count_or_duration:
      return numbers("whole number or duration such as `\"30 days\"`", key.range);
    case KeyType::counts:
      return numbers("list of whole numbers", key.range);
    case KeyType::flag:
      return "`true` or `false`";
    case KeyType::choice:
      return quoted_choices(key);
    case KeyType::equation:
      return "equation";
    case KeyType::names:
      return "list of texts";
    case KeyType::network_inputs:
      return "list of equations, or `\"window\"`";
    case KeyType::table:
      return "table";
  }
  return {};
}

std::string default_of(const KeyInfo& key) {
  if (key.is_required) return "required";
  if (key.fallback.empty()) return "";
  return key.type == KeyType::choice ? fmt::format("`\"{}\"`", key.fallback)
                                     : fmt::format("`{}`", key.fallback);
}

std::string title_of(const TableInfo& info) {
  return info.name.empty() ? "Top of the file" : fmt::format("`[{}]`", info.name);
}

std::string section_of(const TableInfo& info) {
  std::string text = fmt::format("\n## {}\n{}\n", title_of(info), info.about);
  if (info.contents == Contents::equations) text += "\nAny number of `NAME = \"equation\"`.\n";
  if (info.contents == Contents::numbers) text += "\nAny number of `NAME = number`.\n";
  if (info.contents == Contents::names) text += "\nAny number of `NAME = \"column of the file\"`.\n";
  if (info.keys.empty()) return text;
  text += "\n| key | value | default | |\n|---|---|---|---|\n";
  for (const KeyInfo& key : info.keys)
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, type_of(key), default_of(key), key.about);
  return text;
}

}  // namespace

std::string model_file_reference() {
  std::string text(introduction);
  for (const TableInfo& info : model_file_tables()) text += section_of(info);
  text += equations;
  text += functions();
  return text;
}

}  // namespace greybox
