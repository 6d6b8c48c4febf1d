// Which windows an analysis looks at, and how that is told in the ledger.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"

namespace greybox {

struct WindowChoice {
  std::string name;  // "test", "train+test", "all", or a data file: as in the ledger
  std::vector<std::size_t> windows;
  std::string description{};  // for people, where the name says too little
};

// `split` is train, validation, test, several joined by +, or all; when empty, the test windows of the run's
// own data if there are any, else all windows. `sample` > 0 keeps so many, evenly spaced. Throws InputError,
// with `option` as the place, for an unknown split or an empty one.
WindowChoice choose_windows(const OpenedRun& run, const std::string& split, std::size_t sample,
                            const std::string& option);

// One window: its number among all of the data, from 0, or SERIES:TIME, where it starts. Throws InputError,
// with --window as the place, when there is none.
WindowChoice choose_window(const OpenedRun& run, const std::string& window);

// The first of `preferred` that has windows in the run's own data, by its name; else all.
std::string default_split(const OpenedRun& run, std::initializer_list<Split> preferred);

// The name of the split that a window belongs to, or of the data file where it is not the run's own.
std::string split_of_window(const OpenedRun& run, std::size_t window);

// All of them when n is 0 or there are no more.
std::vector<std::size_t> evenly_spaced(const std::vector<std::size_t>& windows, std::size_t n);

// Whether two choices, by their names, share windows.
bool share_windows(const std::string& first, const std::string& second);

bool is_split(const std::string& text);

}  // namespace greybox
