#include "range_option.hpp"

#include "option_text.hpp"

namespace greybox::apps {

AugmentedRange parse_range(const std::string& text) {
  const OptionText option{"--theta", text, "write name=low:high, for instance --theta g=6:14"};
  const std::size_t equals = text.find('='), colon = text.find(':', equals);
  if (equals == 0 || equals == std::string::npos || colon == std::string::npos)
    option.refuse(0, text.size(), "this is not the range of a parameter");
  return {text.substr(0, equals), option.number<double>(equals + 1, colon, "a number"),
          option.number<double>(colon + 1, text.size(), "a number")};
}

}  // namespace greybox::apps
