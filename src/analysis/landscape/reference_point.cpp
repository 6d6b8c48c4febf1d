#include "analysis/landscape/reference_point.hpp"

#include <fmt/format.h>

#include "analysis/run/kept_estimates.hpp"
#include "core/refuse.hpp"
#include "core/thread_pool.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

// Of the run's own network, whose estimator it is.
Theta from_estimator(const OpenedRun& run, const WindowChoice& choice, std::size_t n_threads) {
  const ModelSpec& spec = *run.loaded.spec;
  if (run.loaded.model->estimator.empty())
    refuse_option("reference", "the model has no estimator",
                  "add [estimator] to the model, or hold parameters with option `at`");
  ThreadPool pool(n_threads);
  const Prediction prediction = make_prediction<double>(run.loaded, {run.weights, choice.windows, {}}, pool);
  Theta mean;
  for (std::size_t i = 0; i < prediction.theta.size(); ++i)
    mean[spec.parameters[i % spec.parameters.size()].name] +=
        prediction.theta[i] / static_cast<double>(prediction.n_windows);
  return mean;
}

// The last that is one θ: estimates per window have none in common.
Theta last_estimate(const OpenedRun& run) {
  const KeptEstimates estimates(run);
  if (const auto last = estimates.last_theta()) return last->theta;
  refuse_option("reference", fmt::format("{} holds no estimate", run.name()), "estimate first");
}

}  // namespace

Theta reference_point(const OpenedRun& run, const WindowChoice& choice, const LandscapeOptions& options) {
  switch (options.reference) {
    case ReferencePoint::prior:
      break;
    case ReferencePoint::estimator:
      return from_estimator(run, choice, options.execution.n_threads);
    case ReferencePoint::estimate:
      return last_estimate(run);
  }
  return run.record ? run.record->theta : Theta{};
}

}  // namespace greybox
