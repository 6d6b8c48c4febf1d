// Threads of the system, and what is said when it gives no more of them.
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

namespace greybox {

// Throws InputError for more threads than a machine has a use for.
void check_threads(std::size_t n_threads);

// Throws InputError when the system gives no further thread.
std::thread start_thread(std::function<void()> work);

}  // namespace greybox
