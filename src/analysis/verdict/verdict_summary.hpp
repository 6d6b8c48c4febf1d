// What all verdicts together say, in a few sentences: what is determined, what is not, what to do next.
#pragma once

#include <string>
#include <vector>

#include "greybox/verdict.hpp"

namespace greybox {

// `fits`: whether the run fits its data without reserve.
std::vector<std::string> summary_of(const Verdicts& verdicts, bool fits);

}  // namespace greybox
