// Which columns of a table are its time and its series, for tables that come from elsewhere than a file.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "greybox/table.hpp"

namespace greybox {

struct ColumnRoles {
  // Places among the names; nothing where there is one series, and where rows are counted.
  std::optional<std::size_t> series, time;
};

// As Table::read finds them in a file's header. Messages call the table `name`. Throws InputError when a
// column that the options name is missing, and when several could be the time.
ColumnRoles column_roles(std::span<const std::string> columns, const TableOptions& options,
                         const std::string& name);

}  // namespace greybox
