// JSON as it may stand inside a script element.
#pragma once

#include <ostream>
#include <string_view>

namespace greybox {

// In JSON a `<` stands only inside strings, where it may be escaped: then no content can end the script
// element, and none can open a comment in it.
inline void write_escaped(std::ostream& out, std::string_view json) {
  for (std::size_t bracket; (bracket = json.find('<')) != std::string_view::npos;) {
    out << json.substr(0, bracket) << "\\u003c";
    json.remove_prefix(bracket + 1);
  }
  out << json;
}

}  // namespace greybox
