#include "analysis/run/data_reuse.hpp"

#include <fmt/format.h>

#include <system_error>

#include "analysis/run/window_choice.hpp"

namespace greybox {

std::string reuse_warning(const OpenedRun& run, const std::string& regularizer, const std::string& split) {
  if (!run.record) return {};
  for (const LedgerEntry& entry : run.record->ledger)
    if ((entry.command == "landscape" || entry.command == "explore") && entry.regularizer == regularizer &&
        share_windows(entry.split, split))
      return fmt::format(
          "the landscape of `{}` was looked at on {}, and this estimate is on {}: when the landscape led to "
          "the "
          "choice of the regularizer, the same data are used twice and the estimate looks better than it is; "
          "look "
          "and estimate on different splits",
          regularizer, entry.split, split);
  return {};
}

std::vector<std::string> record_use(const OpenedRun& run, const LedgerEntry& use,
                                    const std::vector<std::string>& regularizers) {
  try {
    std::vector<LedgerEntry> entries;
    for (const std::string& regularizer : regularizers)
      entries.push_back({use.command, use.split, use.purpose, regularizer});
    record_use(run.handle.state(), entries);
    return {};
  } catch (const std::system_error& error) {
    return {fmt::format("the use of the data could not be recorded: {}", error.what())};
  }
}

}  // namespace greybox
