// Errors of each observed variable at given θ.
#pragma once

#include <vector>

#include "analysis/run/opened_run.hpp"
#include "core/thread_pool.hpp"
#include "greybox/fit.hpp"

namespace greybox {

// `theta`: one value per parameter, or windows × parameters; empty: the estimator's. Of fields, over as many
// windows, evenly spaced, as fit into memory.
std::vector<OutputError> errors_at(const OpenedRun& run, const std::vector<std::size_t>& windows,
                                   const std::vector<double>& theta, ThreadPool& pool);

}  // namespace greybox
