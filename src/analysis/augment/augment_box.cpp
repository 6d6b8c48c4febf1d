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
constexpr std::size_t kMostWindows = 100'000'000;

void check(const OpenedRun& run, const AugmentOptions& options) {
  const ModelSpec& spec = *run.loaded.spec;
  if (spec.estimator.empty())
    refuse(spec.source->path, "the model has no [estimator], and augmentation teaches nothing else",
           "give [estimator] an equation for every parameter, from a network with inputs = \"window\"");
  if (options.windows > kMostWindows)
    refuse_option("windows", fmt::format("{} windows are more than {}", options.windows, kMostWindows),
                  "some thousands are usual");
  if (options.windows < kFewestWindows)
    refuse_option("windows", fmt::format("{} windows are too few", options.windows),
                  fmt::format("make at least {}", kFewestWindows));
  if (options.epochs == 0) refuse_option("epochs", "0 epochs teach nothing", "give 1 or more");
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
    refuse_option("theta", fmt::format("the model has no parameter `{}`", range.name),
                  fmt::format("its parameters are {}", fmt::join(names, ", ")));
  }
  if (!(range.low < range.high) || !std::isfinite(range.low) || !std::isfinite(range.high))
    refuse_option("theta", fmt::format("{} to {} is not a range of `{}`", range.low, range.high, range.name),
                  "low must be below high");
  const auto p = static_cast<std::size_t>(found - parameters.begin());
  box.low[p] = range.low;
  box.high[p] = range.high;
}

std::vector<double> held_theta(const OpenedRun& run, const AugmentOptions& options) {
  if (!options.at.empty()) return theta_from(*run.loaded.spec, options.at, "at");
  if (!run.record || run.record->theta.empty())
    refuse(run.handle.folder(), "this run has no θ of its own, which would say what its network stands for",
           "give the θ that you trust, for instance an estimate, as option `at`");
  return theta_from(*run.loaded.spec, run.record->theta);
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
      refuse_option("theta", fmt::format("the model gives no bounds for `{}`", parameters[p].name),
                    "say where to draw it");
  box.held = held_theta(run, options);
  return box;
}

}  // namespace greybox
