// UTF-8: what text files must be, and what numpy's strings become.
#pragma once

#include <string>
#include <string_view>

namespace greybox {

bool is_utf8(std::string_view text);
// False, and nothing appended, when `code_point` is not a Unicode character.
bool append_utf8(std::string& text, char32_t code_point);

}  // namespace greybox
