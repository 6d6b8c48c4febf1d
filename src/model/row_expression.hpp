// Equations over the rows of a table: new columns, exogenous inputs, and the rule for windows to leave out.
#pragma once

#include "model/spec.hpp"

namespace greybox {

// Names of the columns that the equation reads; throws InputError for names that are not columns of the
// table.
std::vector<std::string> columns_read(const std::shared_ptr<const ModelSpec>& spec, const Equation& equation,
                                      const DataTable& table);

// The equation's value in every row, as a column named after the equation.
Column evaluate_rows(const std::shared_ptr<const ModelSpec>& spec, const Equation& equation,
                     const DataTable& table);

}  // namespace greybox
