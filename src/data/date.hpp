// Dates and times of day as ISO 8601 writes them, and units of time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace greybox {

// Seconds since 1970-01-01 00:00 UTC of `2021-03-05`, `2021-03`, `2021-03-05T12:30`, `2021-03-05
// 12:30:15.25`, with `Z` or an offset such as `+02:00` behind it or without. Nothing for what is no date.
std::optional<double> parse_date(std::string_view text);

// `2021-03-05`, with the time of day where it is not midnight.
std::string date_text(double seconds);

// The units of `[data] time_unit`, and the seconds that one has. Also takes `ms`, `s`, `min`, `h`, `d`,
// singulars and the like.
const std::vector<std::string>& time_units();
std::optional<double> seconds_of(std::string_view unit);

// The unit that the name of a column of times has, as in `time [min]`, `time_ms` or `hours`; empty for none.
std::string_view unit_in_name(std::string_view name);

// "30 days" as a number of `unit`; a plain number is one of `unit` already. Nothing for what is no duration,
// or has a unit where `unit` is empty.
std::optional<double> parse_duration(std::string_view text, std::string_view unit);

}  // namespace greybox
