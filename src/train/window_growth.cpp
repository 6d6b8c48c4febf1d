#include "train/window_growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/limits.hpp"
#include "model/engine.hpp"
#include "model/observed_range.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

// Predictions further away are not of this system: in scales of the observed variables, which are the data's
// standard deviations, or where nothing is scaled (the paper's models), times the range of the data.
constexpr double kFarAway = 10, kFarAwayUnscaled = 100;

double far_away(const LoadedModel& loaded, std::span<const std::size_t> windows) {
  if (loaded.spec->scale == Scaling::automatic) return kFarAway;
  return kFarAwayUnscaled * observed_range(loaded, windows) / error_unit(*loaded.spec);
}

// Parts of the solver's step that are tried.
constexpr std::array<double, 4> kFinerSteps = {2, 4, 8, 16};

// The step as it is, or where one goes from snapshot to snapshot, the shortest of those.
double step_of(const LoadedModel& loaded, std::span<const std::size_t> windows) {
  if (loaded.spec->solver.options.step > 0) return loaded.spec->solver.options.step;
  const std::vector<double>& time = loaded.data->table().time;
  double shortest = kInfinity;
  for (const std::size_t w : windows) {
    const Window& window = loaded.data->windows().windows[w];
    for (std::size_t row = window.first_row + 1; row < window.first_row + window.n_rows; ++row)
      shortest = std::min(shortest, time[row] - time[row - 1]);
  }
  return shortest;
}

LoadedModel with_step(const LoadedModel& loaded, double step) {
  auto spec = std::make_shared<ModelSpec>(*loaded.spec);
  spec->solver.options.step = step;
  auto model = std::make_shared<BoundModel>(*loaded.model);
  model->spec = spec;
  return {spec, model, std::make_shared<const ExecutionPlan>(model), loaded.data};
}

// Of what a window's start says beside the snapshots there, nothing may be another in its middle: times since
// the start, learned starts, states that begin at a constant.
bool is_measured_at_every_snapshot(const BoundModel& model) {
  const auto is_of_data = [](const LeafRef& leaf) { return leaf.kind == LeafKind::snapshot; };
  const auto is_known = [](const LeafRef& leaf) {
    return leaf.kind == LeafKind::parameter || leaf.kind == LeafKind::snapshot ||
           leaf.kind == LeafKind::state || leaf.kind == LeafKind::input ||
           leaf.kind == LeafKind::network_output;
  };
  return std::ranges::all_of(model.leaves, is_known) &&
         std::ranges::all_of(model.states, [&](const BoundState& state) {
           return reaches_leaf(model, state.initial, is_of_data);
         });
}

}  // namespace

WindowGrowth::WindowGrowth(const LoadedModel& loaded, std::size_t n_epochs)
    : model_(loaded.model),
      whole_(loaded.data),
      cut_(loaded.data->windows()),
      n_epochs_(n_epochs),
      shortest_(std::max<std::size_t>(2, loaded.spec->data.window.observed)),
      longest_(loaded.data->windows().longest()),
      may_begin_anywhere_(is_measured_at_every_snapshot(*loaded.model)) {
  if (loaded.spec->is_algebraic()) n_epochs_ = 0;
}

std::size_t WindowGrowth::n_rows(std::size_t epoch) const {
  if (epoch >= n_epochs_ || shortest_ >= longest_) return longest_;
  const double ratio = static_cast<double>(longest_) / static_cast<double>(shortest_);
  const double share = static_cast<double>(epoch) / static_cast<double>(n_epochs_);
  return static_cast<std::size_t>(std::floor(static_cast<double>(shortest_) * std::pow(ratio, share)));
}

const WindowData& WindowGrowth::windows(std::size_t epoch) {
  if (!is_growing(epoch)) return whole_->windows();
  const std::size_t most = n_rows(epoch);
  for (std::size_t w = 0; w < cut_.windows.size(); ++w) cut_.windows[w] = piece(w, epoch, most);
  return cut_;
}

Window WindowGrowth::piece(std::size_t window, std::size_t epoch, std::size_t n_rows) const {
  const Window& whole = whole_->windows().windows[window];
  Window first = whole;
  first.n_rows = std::min(whole.n_rows, n_rows);
  if (!may_begin_anywhere_ || first.n_rows == whole.n_rows) return first;
  // Each begins where the one before ends.
  const std::size_t stride = first.n_rows - 1, n_pieces = (whole.n_rows - 2) / stride + 1;
  Window one = first;
  one.first_row += std::min((epoch + window) % n_pieces * stride, whole.n_rows - first.n_rows);
  return is_usable(one) ? one : first;
}

bool WindowGrowth::is_usable(const Window& piece) const {
  const std::vector<const Column*>& columns = whole_->windows().columns;
  for (const LeafRef& leaf : model_->leaves)
    if (leaf.kind == LeafKind::snapshot && is_missing(*columns[leaf.index], piece.first_row + leaf.position))
      return false;
  for (std::size_t row = piece.first_row + 1; row < piece.first_row + piece.n_rows; ++row)
    for (const Observed& observed : model_->observed)
      if (!is_missing(*columns[observed.column], row)) return true;
  return false;
}

template <class T>
bool is_theory_unstable(const LoadedModel& loaded, std::span<const std::size_t> windows,
                        std::span<const T> theta, ThreadPool& pool) {
  if (loaded.spec->is_algebraic() || windows.empty()) return false;
  Engine<T> engine(loaded.plan, loaded.data->windows(), pool, {.capacity = windows.size()});
  const std::vector<T> nothing(engine.n_weights());
  engine.set_weights(nothing);
  engine.forward({&loaded.data->windows(), windows, theta});
  const double far = far_away(loaded, windows);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const double loss = engine.squared_errors()[i] / engine.n_compared()[i];
    if (engine.outcomes()[i] != Outcome::finished || !(loss <= far * far)) return true;
  }
  return false;
}

template <class T>
double finer_step(const LoadedModel& loaded, std::span<const std::size_t> windows, std::span<const T> theta,
                  ThreadPool& pool) {
  const Tableau& tableau = *loaded.spec->solver.options.tableau;
  if (tableau.is_adaptive() || tableau.is_implicit()) return 0;
  const double step = step_of(loaded, windows);
  for (const double finer : kFinerSteps)
    if (!is_theory_unstable(with_step(loaded, step / finer), windows, theta, pool)) return step / finer;
  return 0;
}

template double finer_step<float>(const LoadedModel&, std::span<const std::size_t>, std::span<const float>,
                                  ThreadPool&);
template double finer_step<double>(const LoadedModel&, std::span<const std::size_t>, std::span<const double>,
                                   ThreadPool&);
template bool is_theory_unstable<float>(const LoadedModel&, std::span<const std::size_t>,
                                        std::span<const float>, ThreadPool&);
template bool is_theory_unstable<double>(const LoadedModel&, std::span<const std::size_t>,
                                         std::span<const double>, ThreadPool&);

}  // namespace greybox
