#include "analysis/run/reference_point.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/refuse.hpp"
#include "core/thread_pool.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

using Theta = std::map<std::string, double>;

// Of the run's own network, whose estimator it is.
Theta from_estimator(const OpenedRun& run, const WindowChoice& choice, std::size_t n_threads) {
  const ModelSpec& spec = *run.loaded.spec;
  if (run.loaded.model->estimator.empty())
    refuse("--at", "the model has no estimator",
           "add [estimator] to the model, or hold parameters with name=value");
  ThreadPool pool(n_threads);
  const Prediction prediction = make_prediction<double>(run.loaded, {run.weights, choice.windows, {}}, pool);
  Theta mean;
  for (std::size_t i = 0; i < prediction.theta.size(); ++i)
    mean[spec.parameters[i % spec.parameters.size()].name] +=
        prediction.theta[i] / static_cast<double>(prediction.n_windows);
  return mean;
}

// The last of RUN/estimates.json that is one θ: estimates per window have none in common.
Theta last_estimate(const OpenedRun& run) {
  const std::filesystem::path file = run.folder / "estimates.json";
  std::ifstream stream(file);
  const auto estimates = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (estimates.is_array())
    for (std::size_t i = estimates.size(); i-- > 0;)
      if (estimates[i].is_object() && estimates[i].contains("theta"))
        return estimates[i].at("theta").get<Theta>();
  refuse("--at", fmt::format("{} holds no estimate", file.string()), "run `greybox estimate` first");
}

}  // namespace

std::map<std::string, double> reference_point(const OpenedRun& run, const WindowChoice& choice,
                                              const LandscapeOptions& options) {
  switch (options.reference) {
    case ReferencePoint::prior:
      break;
    case ReferencePoint::estimator:
      return from_estimator(run, choice, options.n_threads);
    case ReferencePoint::estimate:
      return last_estimate(run);
  }
  return run.info ? run.info->theta : Theta{};
}

}  // namespace greybox
