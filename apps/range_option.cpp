#include "range_option.hpp"

#include <charconv>
#include <greybox/error.hpp>

namespace greybox::apps {
namespace {

double number(const std::string& text, std::size_t begin, std::size_t end) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
  if (begin < end && error == std::errc{} && stop == text.data() + end) return value;
  throw InputError(Diagnostic{.file = "--theta",
                              .span = {1, begin + 1, end > begin ? end - begin : 1},
                              .element = {},
                              .message = "this is not a number",
                              .line = text,
                              .help = "write name=low:high, for instance --theta g=6:14"});
}

}  // namespace

AugmentedRange parse_range(const std::string& text) {
  const std::size_t equals = text.find('='), colon = text.find(':', equals);
  if (equals == 0 || equals == std::string::npos || colon == std::string::npos)
    throw InputError(Diagnostic{.file = "--theta",
                                .span = {1, 1, std::max<std::size_t>(1, text.size())},
                                .element = {},
                                .message = "this is not the range of a parameter",
                                .line = text,
                                .help = "write name=low:high, for instance --theta g=6:14"});
  return {text.substr(0, equals), number(text, equals + 1, colon), number(text, colon + 1, text.size())};
}

}  // namespace greybox::apps
