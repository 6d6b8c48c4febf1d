// How fine the curves of predictions are.
#include <algorithm>

#include "model/prediction.hpp"

namespace greybox {
namespace {

// Points that make a curve smooth, along a window and between two snapshots.
constexpr std::size_t kPointsOfCurve = 60, kMostPerInterval = 12;
// Of solvers with fixed steps: those of lower order have errors that more steps would change in sight.
constexpr int kLeastOrder = 3;

}  // namespace

std::size_t outputs_of_curves(const LoadedModel& loaded) {
  const BoundModel& model = *loaded.model;
  if (model.is_algebraic() || model.spec->grid.is_given) return 1;
  const Tableau& tableau = *model.spec->solver.options.tableau;
  if (!tableau.is_adaptive() && tableau.order < kLeastOrder) return 1;
  const std::size_t n = loaded.data->windows().longest() - 1;
  return std::clamp<std::size_t>(n > 0 ? kPointsOfCurve / n : 1, 1, kMostPerInterval);
}

}  // namespace greybox
