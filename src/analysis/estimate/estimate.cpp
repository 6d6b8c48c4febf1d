// Point estimates as their users ask for them.
#include "greybox/estimate.hpp"

#include <fmt/format.h>

#include "analysis/estimate/amortised.hpp"
#include "analysis/estimate/estimate_result.hpp"
#include "core/refuse.hpp"
#include "core/shared_tasks.hpp"
#include "core/stage_progress.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

PointOptions point_options(const EstimateOptions& options, const ModelSpec& spec) {
  const std::size_t n = spec.parameters.size();
  if (n == 0)
    refuse(spec.source->path, "the model has no parameters to estimate", "add them in [parameters]");
  PointOptions point =
      default_options(options.method.value_or(n <= 2 ? EstimateMethod::grid : EstimateMethod::adam));
  if (point.method == EstimateMethod::grid && n > 2)
    refuse_option("method", fmt::format("a grid over {} parameters would be too large", n),
                  "use adam, lbfgs, bobyqa or direct");
  point.n_starts = options.starts.value_or(point.n_starts);
  point.n_steps = options.steps.value_or(point.n_steps);
  if (options.rate) std::tie(point.rate_start, point.rate_end) = *options.rate;
  point.seed = options.seed;
  point.is_exact = options.exact;
  if (point.n_starts == 0) refuse_option("starts", "there is nothing to start from", "give 1 or more");
  if (point.n_steps == 0) refuse_option("steps", "no step is to be taken", "give 1 or more");
  check_rates({point.rate_start, point.rate_end});
  return point;
}

const char* unit_of(const PointOptions& point, const EstimateOptions& options) {
  if (options.each_window) return "windows";
  return point.method == EstimateMethod::grid ? kPairs : "steps";
}

template <class T>
std::vector<WindowEstimate> find(const OpenedTarget& target, const PointOptions& point,
                                 const EstimateOptions& options) {
  ThreadPool pool(options.execution.n_threads);
  const LoadedModel& loaded = target.run.loaded;
  const std::vector<std::size_t>& all = target.choice.windows;
  const std::size_t regularizer = regularizer_place(*loaded.model, options.regularizer);
  const double range = observed_range(loaded, all);
  const std::size_t n_at_once = options.each_window ? 1 : all.size();
  const StageProgress stage(options.execution, "estimate", unit_of(point, options));
  const auto on_step = [&](std::size_t n_done, std::size_t n_total) {
    options.each_window ? stage.stop_if_cancelled() : stage.show(n_done, n_total);
  };
  PointEstimator<T> estimator(loaded, target.run.weights, regularizer, n_at_once, pool, point);
  std::vector<WindowEstimate> estimates;
  for (std::size_t first = 0; first < all.size(); first += n_at_once) {
    const std::span<const std::size_t> windows = std::span(all).subspan(first, n_at_once);
    estimates.push_back(to_estimate(*loaded.spec, estimator.estimate(windows, on_step), range));
    if (!options.each_window) break;
    place_at(loaded, windows[0], estimates.back());
    stage.show(first + 1, all.size());
  }
  return estimates;
}

}  // namespace

Estimate estimate(const Run& run, const EstimateOptions& options) {
  // An estimator is one training, which is not shared.
  if (options.amortised) return is_first(options.execution) ? estimate_amortised(run, options) : Estimate{};
  if (!options.data) share_own_table(run.state(), options.execution);
  const OpenedTarget target =
      open_target(run, {options.on, options.data, 0, "regularizer"}, {options.regularizer}, {Split::test});
  PointOptions point = point_options(options, *target.run.loaded.spec);
  // A single window may by chance fit worse than all together.
  if (!options.each_window && target.has_outputs) point.loss_limit = target.run.loss_limit();
  point.communicator = options.execution.communicator;
  Estimate result = new_estimate(target, options, to_string(point.method));
  set_estimates(
      options.single_precision ? find<float>(target, point, options) : find<double>(target, point, options),
      options.each_window, result);
  if (!is_first(options.execution)) return result;
  complete(target, options, options.each_window ? "point estimates, one per window" : "point estimate",
           result);
  return result;
}

}  // namespace greybox
