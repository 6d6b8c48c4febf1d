#pragma once

#include "data/table.hpp"

namespace greybox {

// Standard deviation of a column's values, without missing ones; 0 where it does not vary.
double spread_of(const Column& column);

}  // namespace greybox
