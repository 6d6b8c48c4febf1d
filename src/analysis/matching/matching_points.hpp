// Where a model is compared with the data: one point per window and snapshot, and the states that the data
// give there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/loaded_model.hpp"

namespace greybox {

// One point per snapshot of every window.
struct MatchingPoints {
  // Of the data.
  std::vector<std::size_t> windows;
  // Points of window w are [first[w], first[w + 1]).
  std::vector<std::size_t> first;
  // Of the table, per point.
  std::vector<std::size_t> rows;
  // Since the window's first snapshot, per point.
  std::vector<double> times;
  // What a point counts for: means over the points of a window are means over its time (trapezoidal rule),
  // and a window counts for as much as it has steps.
  std::vector<double> weights;

  std::size_t size() const { return rows.size(); }
  std::size_t n_windows() const { return windows.size(); }
};

MatchingPoints matching_points(const LoadedModel& loaded, const std::vector<std::size_t>& windows);

// What the data say about the states (of an algebraic model, its outputs) at every point.
struct MeasuredStates {
  // Why the states are not known; empty: they are.
  std::string obstacle{};
  // [state][point]; empty for a state that is not measured.
  std::vector<std::vector<double>> values{};
  // Per state: known up to multiples of 2π.
  std::vector<std::uint8_t> is_angle{};
};

// An initial value that is an expression of the first snapshot's columns tells how the state follows from the
// columns of any snapshot.
MeasuredStates measure_states(const LoadedModel& loaded, const MatchingPoints& points);

}  // namespace greybox
