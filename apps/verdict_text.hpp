// Verdicts as a person reads them.
#pragma once

#include <greybox/verdict.hpp>

namespace greybox::apps {

// A table of findings, one row per parameter and one column per regularizer, and the sentences behind it.
void print_verdicts(const Verdicts& verdicts);

}  // namespace greybox::apps
