#include "analysis/augment/augment_box.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/theta.hpp"

namespace greybox {
namespace {

// Fewer leave nothing to learn from, or nothing to judge by.
constexpr std::size_t kFewestWindows = 10;

void check(const OpenedRun& run, const AugmentOptions& options) {
  const ModelSpec& spec = *run.loaded.spec;
  if (spec.estimator.empty())
    refuse(spec.source->path, "the model has no [estimator], and augmentation teaches nothing else",
           "give [estimator] an equation for every parameter, from a network with inputs = \"window\"");
  if (options.windows < kFewestWindows)
    refuse("--windows", fmt::format("{} windows are too few", options.windows),
           fmt::format("make at least {}", kFewestWindows));
  if (options.epochs == 0) refuse("--epochs", "0 epochs teach nothing", "give 1 or more");
  if (run.loaded.data->of_split(Split::train).empty())
    refuse(run.loaded.data->table().file, "there are no training windows to start from",
           "give [data] split a fraction `train`");
}

void widen(AugmentBox& box, const std::vector<ParameterSpec>& parameters, const AugmentedRange& range) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const ParameterSpec& parameter) {
    return parameter.name == range.name;
  });
  if (found == parameters.end()) {
    std::vector<std::string> names;
    for (const ParameterSpec& parameter : parameters) names.push_back(parameter.name);
    refuse("--theta", fmt::format("the model has no parameter `{}`", range.name),
           fmt::format("its parameters are {}", fmt::join(names, ", ")));
  }
  if (!(range.low < range.high) || !std::isfinite(range.low) || !std::isfinite(range.high))
    refuse("--theta", fmt::format("{} to {} is not a range of `{}`", range.low, range.high, range.name),
           "write name=low:high with low below high");
  const auto p = static_cast<std::size_t>(found - parameters.begin());
  box.low[p] = range.low;
  box.high[p] = range.high;
}

std::vector<double> held_theta(const OpenedRun& run, const AugmentOptions& options) {
  if (!options.at.empty()) return theta_from(*run.loaded.model, options.at);
  if (!run.info || run.info->theta.empty())
    refuse(run.folder.string(), "this run has no θ of its own, which would say what its network stands for",
           "give the θ that you trust, e.g. from `greybox estimate`: --at name=value,…");
  return theta_from(*run.loaded.model, run.info->theta);
}

}  // namespace

std::vector<double> AugmentBox::widths() const {
  std::vector<double> widths;
  for (std::size_t p = 0; p < low.size(); ++p) widths.push_back(high[p] - low[p]);
  return widths;
}

AugmentBox augment_box(const OpenedRun& run, const AugmentOptions& options) {
  check(run, options);
  AugmentBox box;
  const std::vector<ParameterSpec>& parameters = run.loaded.spec->parameters;
  for (const ParameterSpec& parameter : parameters) {
    box.low.push_back(parameter.low);
    box.high.push_back(parameter.high);
  }
  for (const AugmentedRange& range : options.theta) widen(box, parameters, range);
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (!std::isfinite(box.low[p]) || !std::isfinite(box.high[p]))
      refuse("--theta", fmt::format("the model gives no bounds for `{}`", parameters[p].name),
             fmt::format("say where to draw it: --theta {}=low:high", parameters[p].name));
  box.held = held_theta(run, options);
  return box;
}

std::filesystem::path output_of(const AugmentOptions& options) {
  if (!options.output.empty()) return options.output;
  std::filesystem::path folder = (options.run / "").parent_path();
  folder += "-augmented";
  return folder;
}

}  // namespace greybox
