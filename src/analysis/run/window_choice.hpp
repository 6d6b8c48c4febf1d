// Which windows an analysis is about, and what the ledger calls them.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"

namespace greybox {

struct WindowChoice {
  // "test", "train+test", "all", or a data file: as in the ledger.
  std::string name;
  std::vector<std::size_t> windows;
  // For people, where the name says too little.
  std::string description{};
};

// What a caller asks for: windows of the run's data, of other data, or grid points of the inputs.
struct Target {
  Selection on{};
  std::optional<Table> data{};
  // Only so many windows, as `stratified_draw` takes them; 0: all.
  std::size_t n_windows = 0;
  // The field that regularizers were given in.
  const char* regularizer_option = "regularizers";
  std::uint64_t seed = 0;
};

// A run opened on a target, and the windows chosen there.
struct OpenedTarget {
  OpenedRun run;
  WindowChoice choice;
  // Grid points have no measured outputs, and so no errors.
  bool has_outputs = true;
};

// Where the selection is left empty, the first of `preferred` that has windows in the run's own data; else
// all windows.
OpenedTarget open_target(const Run& run, const Target& target, const std::vector<std::string>& regularizers,
                         std::initializer_list<Split> preferred);

// The name of the split that a window belongs to, or of the data where they are not the run's own.
std::string split_of_window(const OpenedRun& run, std::size_t window);

// One at random from each of n parts of about equal size, in their order: all series and times take part,
// and no stride can fall in step with the windows of a series. All of them when n is 0 or there are no more.
std::vector<std::size_t> stratified_draw(const std::vector<std::size_t>& windows, std::size_t n,
                                         std::uint64_t seed = 0);

// Whether two choices, by their names, share windows.
bool share_windows(const std::string& first, const std::string& second);

// "train+test"; "all" for none.
std::string to_string(const Splits& splits);

}  // namespace greybox
