// The account of which data were used for what: a regularizer chosen by its landscape must not be used on the
// same data.
#pragma once

#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"

namespace greybox {

// A sentence when the landscape of this regularizer was computed on windows that `split` shares; empty
// otherwise.
std::string reuse_warning(const OpenedRun& run, const std::string& regularizer, const std::string& split);

// Adds one entry per regularizer to the run's ledger, all at once. Folders made elsewhere have no ledger.
// Returns a warning when the folder cannot be written, and else nothing.
std::vector<std::string> record_use(const OpenedRun& run, const LedgerEntry& use,
                                    const std::vector<std::string>& regularizers);

}  // namespace greybox
