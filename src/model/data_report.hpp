// A model's data explained to their author: time, columns, windows, what was left out, and what looks wrong.
#pragma once

#include <string>
#include <vector>

#include "greybox/check.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// The time of a table, from row to row of each series.
TimeSummary time_summary(const DataTable& table);

// Lines for `check`, indented by two.
std::string describe_data(const PreparedData& data, const DataSummary& counts, Missing rule);

// What is suspicious in the data, or cannot be judged with them.
std::vector<std::string> data_suspicions(const LoadedModel& loaded);

}  // namespace greybox
