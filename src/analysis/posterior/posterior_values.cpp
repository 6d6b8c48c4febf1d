// R at given θ, and what it says about a β to choose.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_scan.hpp"
#include "core/stage_progress.hpp"

namespace greybox {
namespace {

constexpr std::size_t kTrialDraws = 400;
// Values that are shown with three digits.
constexpr std::size_t kTrialWindows = 200;

}  // namespace

RegularizerValues evaluate_at(const PosteriorRequest& request, std::span<const double> theta) {
  ThreadPool pool(request.options.execution.n_threads);
  ThetaScan<double> scan(request.run.loaded, request.run.weights, request.choice.windows.size(), pool);
  const StageProgress stage(request.options.execution, "distribution", kPairs);
  const auto progress = [&](std::size_t n_done, std::size_t n_total) { stage.show(n_done, n_total); };
  ThetaValues values = scan.evaluate(request.choice.windows, theta, progress);
  return {std::move(values.regularizers[request.regularizer]), std::move(values.losses)};
}

void suggest_beta(const PosteriorRequest& request) {
  const ThetaBox box(request.parameters());
  std::vector<double> theta;
  for (std::size_t i = 0; i < kTrialDraws; ++i)
    for (double value : box.draw(request.options.seed, i)) theta.push_back(value);
  WindowChoice some = request.choice;
  if (!request.options.exact) some.windows = stratified_draw(some.windows, kTrialWindows);
  std::vector<double> values =
      evaluate_at({request.run, some, request.regularizer, request.options, request.beta}, theta)
          .regularizers;
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::sort(values.begin(), values.end());
  const std::string message = "no β is given: how strongly R weighs against the prior is yours to choose";
  if (values.empty() || !(values[values.size() / 2] > values.front()))
    throw InputError(Diagnostic{.option = "beta",
                                .message = message,
                                .help = "give a positive number, for instance 1; p(θ) exp(-β R) is sampled"});
  const double low = values.front(), median = values[values.size() / 2];
  const double unit = 1 / (median - low);
  throw InputError(Diagnostic{
      .option = "beta",
      .message = message,
      .help = fmt::format(
          "over the prior, R {} has its lowest value {:.3g} and its median {:.3g}. β = {:.2g} makes the "
          "median e times less likely than the lowest (weak), β = {:.2g} makes it 22000 times less likely "
          "(middling), β = {:.2g} keeps to the bottom (strong)",
          request.options.regularizer, low, median, unit, 10 * unit, 100 * unit)});
}

}  // namespace greybox
