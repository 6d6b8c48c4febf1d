#include "vary_option.hpp"

#include <algorithm>
#include <charconv>
#include <greybox/error.hpp>

#include "theta_option.hpp"

namespace greybox::apps {
namespace {

[[noreturn]] void fail_vary(const std::string& text, std::size_t begin, std::size_t end,
                            const std::string& message) {
  throw InputError(
      Diagnostic{.file = "--vary",
                 .span = {1, begin + 1, end > begin ? end - begin : 1},
                 .element = {},
                 .message = message,
                 .line = text,
                 .help = "write name, name=low:high or name=low:high:points, for instance --vary a=0:2:101"});
}

template <class Number>
Number number(const std::string& text, std::size_t begin, std::size_t end, const char* what) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, value);
  if (begin >= end || error != std::errc{} || stop != text.data() + end)
    fail_vary(text, begin, end, std::string("this is not ") + what);
  return value;
}

}  // namespace

VariedParameter parse_vary(const std::string& text) {
  const std::size_t equals = text.find('=');
  VariedParameter parameter{text.substr(0, equals), {}, {}, {}};
  if (parameter.name.empty()) fail_vary(text, 0, text.size(), "a parameter's name is missing");
  if (equals == std::string::npos) return parameter;
  const std::size_t first = std::min(text.find(':', equals), text.size());
  const std::size_t second = first == text.size() ? first : std::min(text.find(':', first + 1), text.size());
  if (first == text.size()) fail_vary(text, equals + 1, text.size(), "this is not a range");
  parameter.low = number<double>(text, equals + 1, first, "a number");
  parameter.high = number<double>(text, first + 1, second, "a number");
  if (second < text.size())
    parameter.n_points = number<std::size_t>(text, second + 1, text.size(), "a number of points");
  return parameter;
}

std::map<std::string, double> parse_held(const std::string& text) {
  try {
    return parse_theta(text);
  } catch (const InputError& error) {
    std::vector<Diagnostic> mistakes = error.diagnostics();
    for (Diagnostic& mistake : mistakes) {
      mistake.file = "--at";
      mistake.help = "write name=value for each parameter that is held, with commas between: --at b=1,d=0.2";
    }
    throw InputError(std::move(mistakes));
  }
}

}  // namespace greybox::apps
