// The processes that mpirun or srun started together: the first is the tool as always, the others help it.
#pragma once

#include <greybox/communicator.hpp>

namespace greybox::apps {

// What ends a process that has helped with all that it could.
struct HelpIsOver {};

// To be called first. Where the command has nothing to share, helpers throw HelpIsOver. They print nothing.
void join_processes(int argc, const char* const* argv);

// Null where this process is alone, or the command has nothing to share.
Communicator* processes();
bool is_helper();

// After the work that is shared: only the first process goes on.
void leave_if_helper();

// Of this process: as asked for, or its part of the computer's cores; 0 without other processes.
std::size_t threads_of_process(std::size_t asked);

// Before the program ends with this exit code, after which it is the same for all; `message` is what ended a
// helper, which speaks only where nobody else can.
void leave_processes(int exit_code, const char* message = nullptr);

}  // namespace greybox::apps
