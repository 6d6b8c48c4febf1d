#include "vary_option.hpp"

#include <algorithm>

#include "option_text.hpp"

namespace greybox::apps {

VariedParameter parse_vary(const std::string& text) {
  const OptionText option{"--vary", text,
                          "write name, name=low:high or name=low:high:points, for instance --vary a=0:2:101"};
  const std::size_t equals = text.find('=');
  VariedParameter parameter{.name = text.substr(0, equals)};
  if (parameter.name.empty()) option.refuse(0, text.size(), "a parameter's name is missing");
  if (equals == std::string::npos) return parameter;
  const std::size_t first = std::min(text.find(':', equals), text.size());
  const std::size_t second = first == text.size() ? first : std::min(text.find(':', first + 1), text.size());
  if (first == text.size()) option.refuse(equals + 1, text.size(), "this is not a range");
  parameter.low = option.number<double>(equals + 1, first, "a number");
  parameter.high = option.number<double>(first + 1, second, "a number");
  if (second < text.size())
    parameter.n_points = option.number<std::size_t>(second + 1, text.size(), "a number of points");
  return parameter;
}

std::vector<VariedParameter> parse_vary(const std::vector<std::string>& texts) {
  std::vector<VariedParameter> parameters;
  for (const std::string& text : texts) parameters.push_back(parse_vary(text));
  return parameters;
}

}  // namespace greybox::apps
