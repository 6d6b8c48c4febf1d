// Processes that run one computation together: who writes, what all must know, and whether their sums are
// alike.
#pragma once

#include <functional>
#include <string>

#include "greybox/execution.hpp"

namespace greybox {

// Of this process; never 0.
std::size_t n_threads_of(const Execution& execution);

// This process writes and reports: it is alone, or the first.
bool is_first(const Execution& execution);

// What the first process makes, in all of them. One that throws makes all throw.
std::string in_all(const Execution& execution, const std::function<std::string()>& make);

// Of processes that take the steps of one computation together: whether all use the same vector instructions,
// without which their sums may differ. Those that require it throw InputError in all.
bool have_like_processors(const Execution& execution);
void require_like_processors(const Execution& execution);

}  // namespace greybox
