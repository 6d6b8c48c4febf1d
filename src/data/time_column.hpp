// Which columns of a file are its time and its series, and what columns are called.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/mistakes.hpp"
#include "data/table.hpp"
#include "greybox/column_roles.hpp"

namespace greybox {

// What `[data] time` says where rows are to be counted.
inline constexpr std::string_view kNoTime = "none";

// Whether a column is called as people call times: `t`, `Time`, `timestamp`, `date`, `time [s]`, `day`, …
bool is_usual_time_name(std::string_view name);

// Where the time stands among `names`: the chosen column; else `time`; else the one that has a usual name.
// Throws InputError when a chosen one is missing, and when several could be meant.
std::optional<std::size_t> find_time(std::span<const std::string> names, const TableOptions& options,
                                     const Place& place);

// The series as well; throws InputError also when both are one column.
ColumnRoles find_roles(std::span<const std::string> names, const TableOptions& options, const Place& place);

// Gives columns the names that `options.renamed` has for them; throws InputError when one is not there.
void rename_columns(std::vector<std::string>& names, const TableOptions& options, const Place& place);

// What remains of the options once a table has been read with them and written again.
TableOptions options_of_copy(const TableOptions& options);

}  // namespace greybox
