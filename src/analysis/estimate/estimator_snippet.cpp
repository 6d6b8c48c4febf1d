#include "analysis/estimate/estimator_snippet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analysis/run/input_points.hpp"

namespace greybox {
namespace {

std::string network_name(const ModelSpec& spec) {
  std::string name = "guess";
  const auto is_taken = [&] {
    return std::any_of(spec.networks.begin(), spec.networks.end(),
                       [&](const NetworkSpec& network) { return network.name == name; });
  };
  while (is_taken()) name += "_";
  return name;
}

// An algebraic model's window holds its answers alone.
std::string inputs_of(const BoundModel& model) {
  if (!model.is_algebraic()) return "\"window\"";
  return fmt::format("[\"{}\"]", fmt::join(input_columns(model), "\", \""));
}

// "LOW + " or nothing for a bound of 0.
std::string from(double low) {
  return low == 0 ? "" : fmt::format("{} + ", low);
}

std::string within_bounds(const ParameterSpec& parameter, const std::string& guess) {
  const bool has_low = std::isfinite(parameter.low), has_high = std::isfinite(parameter.high);
  if (has_low && has_high)
    return fmt::format("{}{} * sigmoid({})", from(parameter.low), parameter.high - parameter.low, guess);
  if (has_low) return fmt::format("{}softplus({})", from(parameter.low), guess);
  if (has_high) return fmt::format("{} - softplus({})", parameter.high, guess);
  return fmt::format("{}{} * {}", from(parameter.mean), parameter.sd, guess);
}

}  // namespace

std::string estimator_snippet(const BoundModel& model) {
  const ModelSpec& spec = *model.spec;
  const std::string name = network_name(spec);
  std::string outputs, equations;
  for (const ParameterSpec& parameter : spec.parameters) {
    outputs += fmt::format("{}\"{}\"", outputs.empty() ? "" : ", ", parameter.name);
    equations += fmt::format("\n{} = \"{}\"", parameter.name,
                             within_bounds(parameter, fmt::format("{}.{}", name, parameter.name)));
  }
  return fmt::format(
      "[network.{}]\nkind    = \"mlp\"\ninputs  = {}\nhidden  = [64, 64]\noutputs = "
      "[{}]\n\n[estimator]{}",
      name, inputs_of(model), outputs, equations);
}

}  // namespace greybox
