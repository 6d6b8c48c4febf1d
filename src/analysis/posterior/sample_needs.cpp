// What a distribution will take: one evaluation measured, times how many there usually are.
#include <algorithm>
#include <chrono>

#include "analysis/posterior/posterior.hpp"
#include "analysis/theta/theta_box.hpp"
#include "analysis/theta/theta_objective.hpp"

namespace greybox {
namespace {

// Gradients of a step of a chain, as the sampler usually takes them.
constexpr std::size_t kUsualLeapfrogs = 8;
// Evaluations of R on grids that are refined for several β.
constexpr std::size_t kUsualGridPoints[] = {2000, 25'000};
// Where means can be interpolated; and fits of polynomials for chains, which then take one for each draw.
constexpr std::size_t kUsualInterpolated[] = {50, 800}, kUsualFits = 1500;

double seconds_of_evaluation(const PosteriorRequest& request, bool has_gradient, ThreadPool& pool) {
  ThetaObjective<double> objective(request.run.loaded, request.run.weights, request.regularizer,
                                   request.choice.windows.size(), pool);
  objective.set_windows(request.choice.windows);
  const std::vector<double> theta = ThetaBox(request.parameters()).middle();
  std::vector<double> gradient(theta.size());
  double least = 0;
  // The first makes room in memory.
  for (int round = 0; round < 3; ++round) {
    const auto start = std::chrono::steady_clock::now();
    objective.evaluate(theta);
    if (has_gradient) objective.gradient(gradient);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    least = round == 0 ? seconds : std::min(least, seconds);
  }
  return least;
}

std::size_t n_evaluations(const PosteriorRequest& request, bool is_grid) {
  const SampleOptions& options = request.options;
  if (is_grid)
    return (options.exact ? kUsualGridPoints : kUsualInterpolated)[request.parameters().size() - 1];
  return options.exact ? options.chains * (options.warmup + options.draws) * kUsualLeapfrogs
                       : options.chains * options.draws + kUsualFits;
}

}  // namespace

SampleNeeds needs_of(const PosteriorRequest& request, SampleMethod method) {
  const SampleOptions& options = request.options;
  const bool is_grid = method == SampleMethod::grid;
  ThreadPool all(options.execution.n_threads);
  const std::size_t n_side = is_grid ? 1 : std::min(options.chains, all.n_threads());
  ThreadPool pool(std::max<std::size_t>(all.n_threads() / n_side, 1));
  SampleNeeds needs;
  needs.method = is_grid ? "grid" : "nuts";
  needs.n_windows = request.choice.windows.size();
  needs.n_evaluations = n_evaluations(request, is_grid);
  needs.seconds_each = seconds_of_evaluation(request, !is_grid && options.exact, pool);
  needs.seconds = needs.seconds_each * static_cast<double>(needs.n_evaluations) / static_cast<double>(n_side);
  return needs;
}

}  // namespace greybox
