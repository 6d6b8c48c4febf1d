// The command `estimate`: a run folder and a regularizer in, the θ at which it is lowest out.
#include "greybox/estimate.hpp"

#include <fmt/format.h>

#include "analysis/estimate/amortised.hpp"
#include "analysis/estimate/estimate_report.hpp"
#include "analysis/estimate/point_estimate.hpp"
#include "analysis/run/target.hpp"
#include "core/refuse.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

constexpr const char* kMethods[] = {"grid", "adam", "lbfgs", "bobyqa", "direct"};

PointOptions point_options(const EstimateOptions& options, const ModelSpec& spec) {
  const std::size_t n = spec.parameters.size();
  if (n == 0)
    refuse(spec.source->path, "the model has no parameters to estimate", "add them in [parameters]");
  PointOptions point =
      default_options(options.method.value_or(n <= 2 ? EstimateMethod::grid : EstimateMethod::adam));
  if (point.method == EstimateMethod::grid && n > 2)
    refuse("--method", fmt::format("a grid over {} parameters would be too large", n),
           "use adam, lbfgs, bobyqa or direct");
  point.n_starts = options.starts.value_or(point.n_starts);
  point.n_steps = options.steps.value_or(point.n_steps);
  if (options.rate) std::tie(point.rate_start, point.rate_end) = *options.rate;
  point.seed = options.seed;
  if (point.n_starts == 0) refuse("--starts", "there is nothing to start from", "give 1 or more");
  if (point.n_steps == 0) refuse("--steps", "no step is to be taken", "give 1 or more");
  check_rates({point.rate_start, point.rate_end});
  return point;
}

template <class T>
std::vector<Estimate> find(const OpenedRun& run, const WindowChoice& choice, const PointOptions& point,
                           bool is_each, const EstimateOptions& options) {
  ThreadPool pool(options.n_threads);
  const LoadedModel& loaded = run.loaded;
  const std::size_t regularizer = regularizer_place(*loaded.model, options.regularizer);
  const double range = observed_range(loaded, choice.windows);
  const std::size_t n_at_once = is_each ? 1 : choice.windows.size();
  PointEstimator<T> estimator(loaded, run.weights, regularizer, n_at_once, pool, point);
  std::vector<Estimate> estimates;
  for (std::size_t first = 0; first < choice.windows.size(); first += n_at_once) {
    const std::span<const std::size_t> windows = std::span(choice.windows).subspan(first, n_at_once);
    estimates.push_back(to_estimate(*loaded.spec, estimator.estimate(windows), range));
    if (!is_each) break;
    place_at(loaded, windows[0], estimates.back());
    if (options.progress) options.progress(first + 1, choice.windows.size());
  }
  return estimates;
}

}  // namespace

EstimateReport estimate(const EstimateOptions& options) {
  if (options.amortised) return estimate_amortised(options);
  const Target target = parse_target(options.on, options.data);
  const auto [run, choice] = open_target(options.run, target, {options.regularizer});
  const PointOptions point = point_options(options, *run.loaded.spec);
  EstimateReport report;
  report.regularizer = options.regularizer;
  report.method = kMethods[static_cast<std::size_t>(point.method)];
  report.on = choice.name;
  report.n_windows = choice.windows.size();
  report.is_per_window = target.is_each;
  report.warnings = run.warnings;
  report.estimates = options.single_precision ? find<float>(run, choice, point, target.is_each, options)
                                              : find<double>(run, choice, point, target.is_each, options);
  if (!target.points.empty()) forget_errors(report.estimates);
  complete_report(run, options, target.is_each ? "point estimates, one per window" : "point estimate",
                  report);
  return report;
}

}  // namespace greybox
