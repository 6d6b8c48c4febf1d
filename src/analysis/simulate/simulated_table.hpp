// What a simulation runs on: the model with its start, and a table with one window of any length.
#pragma once

#include <optional>
#include <vector>

#include "analysis/run/opened_run.hpp"
#include "analysis/simulate/input_series.hpp"
#include "greybox/simulate.hpp"

namespace greybox {

// A row of prepared data that a simulation starts in.
struct StartRow {
  const LoadedModel* loaded = nullptr;
  std::size_t series = 0, row = 0;
};

struct SimulatedTable {
  LoadedModel loaded;
  // Rows that are output times: all after the first.
  std::vector<std::size_t> output_rows;
  // Clock time at the start.
  double start = 0;
};

struct SimulatedSpan {
  double start = 0, horizon = 0, step = 0;
};

// The row that the start names; none for a start from values alone. Throws InputError where there is none.
std::optional<StartRow> find_start(const OpenedRun& run, const SimulationStart& start);

// Throws InputError when states are missing or unknown, when the inputs do not reach over the span, or when
// the model must see a window and there is none. `reads_estimator`: θ comes from the model's [estimator].
SimulatedTable simulated_table(const OpenedRun& run, const SimulationStart& start,
                               const std::optional<StartRow>& row, const InputSeries& inputs,
                               const SimulatedSpan& span, bool reads_estimator);

}  // namespace greybox
