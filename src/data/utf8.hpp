// UTF-8: what text files must be, and what numpy's strings become.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace greybox {

bool is_utf8(std::string_view text);
// Characters that could steer the terminal that they are printed on; line ends and tabs are none.
bool has_control_characters(std::string_view text);
// A path as text for JSON; throws InputError when its bytes are not UTF-8.
std::string path_text(const std::filesystem::path& path);
// False, and nothing appended, when `code_point` is not a Unicode character.
bool append_utf8(std::string& text, char32_t code_point);

}  // namespace greybox
