#include "analysis/run/errors_at.hpp"

#include <algorithm>

#include "analysis/run/window_choice.hpp"
#include "model/prediction.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostFieldValues = 2'000'000;  // of each variable

std::size_t values_of_window(const LoadedModel& loaded, std::size_t window) {
  return loaded.data->windows().windows[window].n_rows * loaded.model->points(Shape::field);
}

}  // namespace

std::vector<OutputError> errors_at(const OpenedRun& run, const std::vector<std::size_t>& windows,
                                   const std::vector<double>& theta, ThreadPool& pool) {
  PredictionRequest request{run.weights, windows, theta};
  const std::size_t n_parameters = run.loaded.spec->parameters.size();
  if (run.loaded.spec->grid.is_given && theta.size() <= n_parameters && !windows.empty())
    request.windows = stratified_draw(
        windows, std::max<std::size_t>(kMostFieldValues / values_of_window(run.loaded, windows[0]), 1));
  return make_prediction<double>(run.loaded, request, pool).outputs;
}

}  // namespace greybox
