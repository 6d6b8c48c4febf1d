// The columns of a template's roles: by name, then in their order.
#pragma once

#include <string>
#include <vector>

#include "model/column_profile.hpp"
#include "model/template_table.hpp"

namespace greybox {

class TemplateCast {
 public:
  TemplateCast(const TheoryTemplate& theory, TableProfile& profile);

  bool has(const ColumnProfile& column) const;
  // Null for a role without a column.
  ColumnProfile* operator[](std::size_t role) const { return columns_[role]; }
  // Refuses where a state that has to be measured has no column.
  void require(const std::string& file) const;

 private:
  bool may_be(const ColumnProfile& column, const TemplateRole& role) const;
  ColumnProfile* named(const TemplateRole& role) const;
  ColumnProfile* next(bool is_input) const;

  const TheoryTemplate& theory_;
  TableProfile& profile_;
  std::vector<ColumnProfile*> columns_;
};

}  // namespace greybox
