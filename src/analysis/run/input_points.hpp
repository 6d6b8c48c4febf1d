// Grid points of the inputs of an algebraic model, as a table: S'_X of equation (5) that is no measured set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "greybox/selection.hpp"
#include "model/bound_model.hpp"

namespace greybox {

// Columns that an algebraic model reads and is not compared with, in alphabetical order.
std::vector<std::string> input_columns(const BoundModel& model);

// All combinations, the last column running fastest; what the model is compared with is 0. Throws InputError
// when the model is not algebraic, or other columns are asked for than it reads.
std::shared_ptr<const DataTable> table_of_points(const std::shared_ptr<const ModelSpec>& spec,
                                                 const Points& points);

// "x=-3:3:200,z=0:1:20"
std::string to_string(const Points& points);

}  // namespace greybox
