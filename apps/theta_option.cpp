#include "theta_option.hpp"

#include <charconv>
#include <greybox/error.hpp>

namespace greybox::apps {
namespace {

[[noreturn]] void fail_theta(const std::string& text, std::size_t begin, std::size_t end,
                             const std::string& message) {
  throw InputError(
      Diagnostic{.file = "--theta",
                 .span = {1, begin + 1, end > begin ? end - begin : 1},
                 .element = {},
                 .message = message,
                 .line = text,
                 .help = "write name=value for each parameter, with commas between: --theta a=1,c=0.2"});
}

}  // namespace

std::map<std::string, double> parse_theta(const std::string& text) {
  std::map<std::string, double> theta;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t equals = text.find('=', begin);
    if (equals >= end || equals == begin) fail_theta(text, begin, end, "this is not name=value");
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, text.data() + end, value);
    if (error != std::errc{} || stop != text.data() + end)
      fail_theta(text, equals + 1, end, "this is not a number");
    if (!theta.emplace(text.substr(begin, equals - begin), value).second)
      fail_theta(text, begin, equals, "this parameter is given twice");
    begin = end + 1;
  }
  return theta;
}

}  // namespace greybox::apps
