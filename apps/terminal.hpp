// What the two output streams can show: how wide they are, and whether in colour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace greybox::apps {

enum class Stream : std::uint8_t { out, err };

bool is_terminal(Stream stream);
// Characters of a line: the terminal's, else what COLUMNS says, else 80.
std::size_t width_of(Stream stream);

enum class Style : std::uint8_t { plain, heading, name, error, warning, help };

// Only terminals have colours, and none where NO_COLOR is set to anything or TERM is "dumb".
bool has_colours(Stream stream);
std::string styled(std::string_view text, Style style, bool has_colours);

// Characters that a text takes on a terminal: code points, not bytes.
std::size_t n_characters(std::string_view text);
// At most so many characters, the last an ellipsis where some are left out.
std::string shortened(std::string_view text, std::size_t n_most);

}  // namespace greybox::apps
