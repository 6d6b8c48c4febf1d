// Whole tasks (trainings, trials, chains, starts) shared out over the threads of a computer and over
// processes.
#pragma once

#include <functional>
#include <string>

#include "core/shared_execution.hpp"

namespace greybox {

struct SharedTasks {
  std::size_t n_tasks = 0;
  // Runs in any process, several at the same time; `own` has threads, cancellation and progress of the task.
  // Gives what `keep` needs to know.
  std::function<std::string(std::size_t task, const Execution& own)> work{};
  // Called in the first process, one at a time, as tasks finish; may be empty.
  std::function<void(std::size_t task, const std::string& result)> keep{};
};

// The one rule: tasks stand side by side first, and the threads that are left work within them. Tasks begin
// in their order wherever there is room. True when all are done; false when the computation was cancelled:
// tasks under way were told so, and what they returned was kept unless they threw Interruption. When a task
// fails the others are told to end, and all processes throw what it threw: InputError, Interruption and
// std::system_error as they are, anything else as std::runtime_error.
bool share_out(const SharedTasks& tasks, const Execution& execution);

}  // namespace greybox
