#include "analysis/structure/rate_mismatch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "model/network_set.hpp"
#include "model/point_evaluator.hpp"
#include "model/reachable.hpp"
#include "train/prior.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMismatchWindows = 64;
// Beyond this factor in either direction it is another unit, not a missing term.
constexpr double kOtherUnit = 3;
// Of the squared rates of the data that the equation has to explain for a factor to mean anything.
constexpr double kLeastExplained = 0.5;

bool is_fixed(const BoundModel& model, const BoundState& state) {
  return !reaches_leaf(model, state.derivative, [](const LeafRef& leaf) {
    return leaf.kind == LeafKind::parameter || leaf.kind == LeafKind::network_output;
  });
}

// The column that measures the state itself.
const Column* column_of(const LoadedModel& loaded, std::size_t state) {
  const BoundModel& model = *loaded.model;
  for (const Observed& observed : model.observed) {
    const Node& node = model.graph[observed.value];
    if (node.operation != Operation::leaf) continue;
    const LeafRef& leaf = model.leaves[node.leaf_id];
    if (leaf.kind == LeafKind::state && leaf.index == state)
      return loaded.data->windows().columns[observed.column];
  }
  return nullptr;
}

// Sums over first steps of windows, of products of the equation's rate and the data's.
struct RateSums {
  double equation = 0, both = 0, data = 0;

  void add(double of_equation, double of_data) {
    if (!std::isfinite(of_equation) || !std::isfinite(of_data)) return;
    equation += of_equation * of_equation;
    both += of_equation * of_data;
    data += of_data * of_data;
  }

  std::optional<double> factor() const {
    if (!(equation > 0 && data > 0) || both * both < kLeastExplained * equation * data) return std::nullopt;
    return both / equation;
  }
};

}  // namespace

std::vector<RateMismatch> rate_mismatches(const LoadedModel& loaded) {
  const BoundModel& model = *loaded.model;
  std::vector<std::size_t> judged;
  if (!model.is_algebraic() && !loaded.spec->grid.is_given)
    for (std::size_t s = 0; s < model.states.size(); ++s)
      if (is_fixed(model, model.states[s]) && column_of(loaded, s) != nullptr) judged.push_back(s);
  if (judged.empty()) return {};
  std::vector<double> theta;
  for (const ParameterSpec& parameter : loaded.spec->parameters) {
    const Prior prior(parameter);
    theta.push_back(prior.draw(prior.start(), 0.5));
  }
  const std::vector<double> weights(NetworkSet<double>(model).n_weights());
  const std::vector<Window>& windows = loaded.data->windows().windows;
  const std::vector<double>& time = loaded.data->table().time;
  std::vector<RateSums> sums(model.states.size());
  const std::size_t n = std::min(windows.size(), kMismatchWindows);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t w = k * windows.size() / n, row = windows[w].first_row;
    if (windows[w].n_rows < 2) continue;
    Evaluator evaluator = make_evaluator(loaded, weights, theta, w);
    std::vector<double> state(evaluator.n_states()), rates(evaluator.n_states());
    evaluator.initial_state(state);
    evaluator.derivative(0, state, rates);
    for (const std::size_t s : judged) {
      const Column& column = *column_of(loaded, s);
      sums[s].add(rates[s], (column.at(row + 1) - column.at(row)) / (time[row + 1] - time[row]));
    }
  }
  std::vector<RateMismatch> found;
  for (const std::size_t s : judged)
    if (const auto factor = sums[s].factor();
        factor && std::abs(std::log(std::abs(*factor))) > std::log(kOtherUnit))
      found.push_back({model.states[s].name, *factor});
  return found;
}

}  // namespace greybox
