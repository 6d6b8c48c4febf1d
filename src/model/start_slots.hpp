// Learned initial values as numbers of a run: which rows of numbers there are, and how θ enters them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/prepared_data.hpp"

namespace greybox {

// A start counts in units of so many standard deviations of its prior: an update of the size of the learning
// rate then changes it by that many times the rate.
inline constexpr double kStartPace = 10;

// (θ or its logarithm - centre) / width: from -1 to 1 between bounds, else in standard deviations.
struct StandardParameter {
  bool is_log = false;
  double centre = 0, width = 1;
  // Of the standard parameter under the prior.
  double variance = 1;

  double theta_at(double standard) const;
};
StandardParameter standard_of(const ParameterSpec& parameter);

std::size_t n_slots(const StartSlots& slots, StartOwner per);
// Those of a model's data.
StartSlots slots_of(const BoundModel& model, const PreparedData& data);

// What the column of a smoothed start is called.
std::string smoothed_column_name(const std::string& state);
// Of each row: the polynomial through this and the following rows of its series, at this row's time; missing
// values do not count.
Column smoothed(const Column& column, const DataTable& table, std::size_t n_rows, std::size_t order);

}  // namespace greybox
