// A model's data explained to their author: time, columns, windows, what was left out, and what looks wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "greybox/check.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// A value that many files have for a missing one, such as -9999, where it is far outside everything else in
// the column.
struct Sentinel {
  double value;
  std::size_t n;
};
std::optional<Sentinel> find_sentinel(const Column& column);

// The time of a table, from row to row of each series.
TimeSummary time_summary(const DataTable& table);

// Lines for `check`, indented by two.
std::string describe_data(const PreparedData& data, const DataSummary& counts, const DataSpec& spec);

// A line for each input: where it comes from, how it is sampled, its range, and what it is between its
// values.
std::string describe_inputs(const LoadedModel& loaded);

// What is suspicious in the data, or cannot be judged with them.
std::vector<std::string> data_suspicions(const LoadedModel& loaded);

}  // namespace greybox
