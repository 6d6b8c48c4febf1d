#include "theta_option.hpp"

#include <algorithm>

namespace greybox::apps {

Theta parse_values(const OptionText& option) {
  const std::string& text = option.text;
  Theta theta;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t equals = text.find('=', begin);
    if (equals >= end || equals == begin) option.refuse(begin, end, "this is not name=value");
    const double value = option.number<double>(equals + 1, end, "a number");
    if (!theta.emplace(text.substr(begin, equals - begin), value).second)
      option.refuse(begin, equals, "this name is given twice");
    begin = end + 1;
  }
  return theta;
}

Theta parse_theta(const std::string& text) {
  return parse_values(
      {"--theta", text, "write name=value for each parameter, with commas between: --theta a=1,c=0.2"});
}

Theta parse_held(const std::string& text) {
  return parse_values(
      {"--at", text,
       "write name=value for each parameter that is held, with commas between: --at b=1,d=0.2"});
}

void add_theta_option(CLI::App& command, std::string& theta) {
  command.add_option(
      "--theta", theta,
      "Parameters, name=value,…; or where they come from: run (learned with the weights), "
      "estimate (the last), posterior, estimator (the model's), or tailored (each window's own, after "
      "a training in that mode); by default what there is: estimator, tailored, run, estimate");
}

ThetaChoice parse_theta_choice(const std::string& text) {
  if (text.empty()) return {};
  for (const char* name : {"run", "estimate", "posterior", "estimator", "tailored"})
    if (text == name) return {.origin = theta_from_named(name)};
  return {.values = parse_theta(text)};
}

}  // namespace greybox::apps
