// One line about how far something has come, made to fit a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace greybox::apps {

struct LinePart {
  std::string text;
  // Where there is no room for all parts, those of the lowest rank go first.
  int rank = 0;
};

// "38 s", "2:05 min", "1:10 h"
std::string duration_text(double seconds);

// A bar and parts beside it, in at most `width` characters.
std::string progress_line(double fraction, std::vector<LinePart> parts, std::size_t width);
// The parts alone, all of them.
std::string joined(const std::vector<LinePart>& parts);

}  // namespace greybox::apps
