#include "model/template_cast.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/refuse.hpp"

namespace greybox {
namespace {

// One letter is no word of a longer name.
bool has_word(const std::string& name, std::string_view word) {
  if (word.size() < 2) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('_', begin), name.size());
    if (std::string_view(name).substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

// `u` of `uEst`.
bool is_leading_letter(const std::string& name, std::string_view letter) {
  return letter.size() == 1 && name.size() > 1 && name[0] == letter[0] && name[1] >= 'A' && name[1] <= 'Z';
}

}  // namespace

TemplateCast::TemplateCast(const TheoryTemplate& theory, TableProfile& profile)
    : theory_(theory), profile_(profile), columns_(theory.roles.size()) {
  for (std::size_t r = 0; r < columns_.size(); ++r) columns_[r] = named(theory.roles[r]);
  for (std::size_t r = 0; r < columns_.size(); ++r)
    if (columns_[r] == nullptr && theory.roles[r].needs_column() && !theory.roles[r].is_by_name)
      columns_[r] = next(theory.roles[r].is_input);
}

bool TemplateCast::has(const ColumnProfile& column) const {
  return std::ranges::find(columns_, &column) != columns_.end();
}

void TemplateCast::require(const std::string& file) const {
  for (std::size_t r = 0; r < columns_.size(); ++r)
    if (columns_[r] == nullptr && theory_.roles[r].needs_column() && !theory_.roles[r].is_input)
      refuse(file,
             fmt::format("the template `{}` needs a column for `{}`, and none is left", theory_.name,
                         theory_.roles[r].name),
             "choose a template with fewer variables, or none");
}

bool TemplateCast::may_be(const ColumnProfile& column, const TemplateRole& role) const {
  return !has(column) && !(role.is_by_name && column.is_constant);
}

ColumnProfile* TemplateCast::named(const TemplateRole& role) const {
  for (const std::string_view hint : role.hints)
    for (ColumnProfile& column : profile_.columns)
      if (in_small_letters(column.name) == hint && may_be(column, role)) return &column;
  for (const std::string_view hint : role.hints)
    for (ColumnProfile& column : profile_.columns)
      if ((has_word(in_small_letters(column.name), hint) || is_leading_letter(column.name, hint)) &&
          may_be(column, role))
        return &column;
  return nullptr;
}

ColumnProfile* TemplateCast::next(bool is_input) const {
  for (ColumnProfile& column : profile_.columns)
    if (!has(column) && !column.is_constant && (!is_input || column.is_setting)) return &column;
  return nullptr;
}

}  // namespace greybox
