#include "model/theta.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/nearest_name.hpp"

namespace greybox {

std::vector<double> theta_from(const ModelSpec& spec, const std::map<std::string, double>& values,
                               const std::string& option) {
  std::vector<std::string> names;
  for (const ParameterSpec& parameter : spec.parameters) names.push_back(parameter.name);
  std::vector<Diagnostic> mistakes;
  const auto mistake = [&](std::string message, std::string help) {
    mistakes.push_back(Diagnostic{.option = option, .message = std::move(message), .help = std::move(help)});
  };
  for (const auto& [name, value] : values)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const auto near = nearest_name(name, names);
      mistake(fmt::format("the model has no parameter `{}`", name),
              near ? fmt::format("did you mean `{}`?", *near)
                   : fmt::format("its parameters are {}", fmt::join(names, ", ")));
    }
  std::vector<double> theta;
  for (const ParameterSpec& parameter : spec.parameters) {
    const auto found = values.find(parameter.name);
    if (found == values.end()) {
      mistake(fmt::format("no value is given for parameter `{}`", parameter.name),
              fmt::format("give a value for each of {}", fmt::join(names, ", ")));
      continue;
    }
    if (!(found->second >= parameter.low && found->second <= parameter.high))
      mistake(fmt::format("{} = {} is outside its bounds", parameter.name, found->second),
              fmt::format("the model file allows {} to {}", parameter.low, parameter.high));
    theta.push_back(found->second);
  }
  if (!mistakes.empty()) throw InputError(std::move(mistakes));
  return theta;
}

std::map<std::string, double> theta_by_name(const ModelSpec& spec, std::span<const double> theta) {
  std::map<std::string, double> values;
  for (std::size_t p = 0; p < theta.size(); ++p) values[spec.parameters[p].name] = theta[p];
  return values;
}

}  // namespace greybox
