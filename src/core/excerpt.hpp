// The offending line of a text file with carets under the mistake.
#pragma once

#include <string>
#include <string_view>

#include "greybox/error.hpp"

namespace greybox {

// Two lines, without a final line end:
//   "  14 | angle = velocty"
//   "     |         ^^^^^^^"
// `span` counts bytes of `line`; a span without a column gets no carets, one without a length gets one caret.
// Carets count characters, a tab is shown as four blanks, and a long line is cut around the span.
std::string excerpt(std::string_view line, const SourceSpan& span);

}  // namespace greybox
