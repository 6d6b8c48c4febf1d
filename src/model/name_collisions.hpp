// Names of a model that are also columns of its data.
#pragma once

#include "data/table.hpp"
#include "model/spec.hpp"

namespace greybox {

// Throws InputError where an equation could mean either: parameters, definitions, networks and inputs that
// are called like a column, and columns called `t`, `t0` or `pi` where an equation has that name. States are
// named after the columns they start from, outputs after those they are compared with, and an input may be a
// column as it is.
void refuse_collisions(const ModelSpec& spec, const DataTable& table);

}  // namespace greybox
