// The standard streams, whatever they are connected to.
#pragma once

#include <string_view>

namespace greybox::apps {

// Opens those of stdin, stdout and stderr that are closed on /dev/null, so that no file of ours takes their
// place.
void open_standard_streams();

// Brings what was printed to where stdout goes; throws std::runtime_error when it does not arrive.
void flush_results();

// A silent program writes nothing to stderr.
void set_silent(bool is_silent);

// Writes to stderr. Nothing is thrown when nobody listens: the work counts, not the report about it.
void tell(std::string_view text);
// The same for text that may come from a file: control characters, which could steer a terminal, become
// visible.
void tell_line(std::string_view text);
// The same for a message: on a terminal with colours, "error:", "warning:" and "help:" stand out.
void tell_message(std::string_view text);

}  // namespace greybox::apps
