// Windows and splits for data that nobody has looked at.
#pragma once

#include <cstddef>

#include "data/windows.hpp"
#include "model/column_profile.hpp"

namespace greybox {

struct WindowProposal {
  // Snapshots of a window, and from one window's start to the next; 0 for whole series.
  std::size_t length = 0, stride = 1;
  // Nothing is held back where `split.train` is 1.
  SplitOptions split{};
  // Of the windows that verdicts judge by.
  std::size_t n_independent = 0;

  bool holds_back() const { return split.train < 1; }
};

// Windows long enough to see the data change, and a split that does not leak and, where the data suffice,
// leaves as many independent windows as a verdict needs: rather a larger part for validation, then shorter
// windows, then nothing held back.
WindowProposal propose_windows(const DataTable& table, const TableProfile& profile);
// Of data that must be seen from their beginning.
WindowProposal propose_whole_series(const DataTable& table, const TableProfile& profile);

}  // namespace greybox
