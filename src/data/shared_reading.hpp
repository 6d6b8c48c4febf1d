// Data that one process reads and all have.
#pragma once

#include <functional>
#include <memory>

#include "core/shared_execution.hpp"
#include "data/table.hpp"

namespace greybox {

// The table that `read` gives in the first process, in all of them; what it throws, all throw. Columns that
// stand in a file are not sent: each process maps the file, which must be the same under the same name.
std::shared_ptr<const DataTable> read_in_first(const Execution& execution,
                                               const std::function<std::shared_ptr<const DataTable>()>& read);

}  // namespace greybox
