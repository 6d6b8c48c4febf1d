// What the two output streams can show: how wide they are, and whether in colour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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
// Broken between words into lines of at most so many characters; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// A text behind so many spaces, with the end of its line; broken where it is wider, and the further lines
// stand two characters deeper.
std::string fitted(std::string_view text, std::size_t indent, std::size_t width);
// As it fits the terminal; files and pipes get it in one line.
std::string prose(std::string_view text, std::size_t indent = 0, Stream stream = Stream::out);
// At most so many characters, the last an ellipsis where some are left out.
std::string shortened(std::string_view text, std::size_t n_most);

}  // namespace greybox::apps
