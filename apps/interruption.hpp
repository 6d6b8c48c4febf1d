// Ctrl-C as a request to end well.
#pragma once

#include <atomic>

namespace greybox::apps {

// From now on Ctrl-C and SIGTERM set the flag that is returned; a second one ends the process at once.
const std::atomic<bool>& listen_to_interruption();

}  // namespace greybox::apps
