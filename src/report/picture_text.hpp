// Text as a printer would set it.
#pragma once

#include <string>

namespace greybox {

// Begins with a capital; not for what begins with a name.
std::string sentence_text(std::string text);

// Hyphens that stand for minus become minus: "-3", "1e-05", "at c = -0.5", "a - b".
std::string with_minus_signs(const std::string& text);

// Powers raised: "m/s^2" becomes "m/s²".
std::string unit_text(const std::string& unit);

// Safe between tags of XML.
std::string xml_text(const std::string& text);

}  // namespace greybox
