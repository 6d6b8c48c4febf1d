// The median of numbers, some of which may be missing.
#pragma once

#include <vector>

namespace greybox {

// Of those that are not NaN; NaN when none is.
double median_of(std::vector<double> values);

}  // namespace greybox
