// Which windows an analysis looks at, and how that is told in the ledger.
#pragma once

#include <string>
#include <vector>

#include "analysis/opened_run.hpp"

namespace greybox {

struct WindowChoice {
  std::string name;  // "test", "train+test", "all", or a data file: as in the ledger
  std::vector<std::size_t> windows;
};

// `split` is train, validation, test, several joined by +, or all; when empty, the test windows of the run's
// own data if there are any, else all windows. `sample` > 0 keeps so many, evenly spaced. Throws InputError,
// with `option` as the place, for an unknown split or an empty one.
WindowChoice choose_windows(const OpenedRun& run, const std::string& split, std::size_t sample,
                            const std::string& option);

// Whether two choices, by their names, share windows.
bool share_windows(const std::string& first, const std::string& second);

bool is_split(const std::string& text);

}  // namespace greybox
