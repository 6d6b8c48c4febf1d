// Ctrl-C as a request to end well.
#pragma once

#include <atomic>

namespace greybox::apps {

// From now on Ctrl-C, SIGTERM and SIGHUP set the flag that is returned; a second one ends the process at
// once.
const std::atomic<bool>& listen_to_interruption();

// From now on a file that would become too large is an error of writing it, with its sentence, and not the
// end of the process.
void report_full_disks();

// From now on a data file that is made shorter while it is read ends the process with a sentence.
void report_shortened_files();

}  // namespace greybox::apps
