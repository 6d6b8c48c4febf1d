#include "analysis/matching/hidden_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/network_set.hpp"
#include "model/reachable.hpp"

namespace greybox {
namespace {

constexpr std::size_t kFewestHiddenSteps = 4, kMostHiddenSteps = 64;

std::size_t series_of_row(const DataTable& table, std::size_t row) {
  const auto after = std::ranges::upper_bound(table.series, row, {}, &Series::first_row);
  return static_cast<std::size_t>(after - table.series.begin()) - 1;
}

}  // namespace

std::vector<std::size_t> hidden_states(const BoundModel& model, const MeasuredStates& measured) {
  std::vector<std::size_t> hidden;
  if (model.is_algebraic()) return hidden;
  for (std::size_t s = 0; s < model.states.size(); ++s)
    if (measured.values[s].empty()) hidden.push_back(s);
  return hidden;
}

std::string obstacle_of_hidden(const BoundModel& model, const std::vector<std::size_t>& hidden) {
  if (std::ranges::any_of(model.spec->signals, [](const SignalSpec& s) { return s.hold == Hold::bolus; }))
    return "a state is not measured, and boluses make states jump between snapshots";
  for (std::size_t s : hidden) {
    const BoundState& state = model.states[s];
    const auto is_network = [](const LeafRef& leaf) { return leaf.kind == LeafKind::network_output; };
    if (reaches_leaf(model, state.derivative, is_network))
      return fmt::format("a network acts on the state `{}`, which is not measured", state.name);
    if (reaches_leaf(model, state.initial, is_network))
      return fmt::format("a network says where the state `{}` starts, which is not measured", state.name);
  }
  return hidden.size() == model.states.size() ? "no state is measured" : "";
}

bool has_learned_start(const BoundModel& model, const std::vector<std::size_t>& hidden) {
  return std::ranges::any_of(hidden, [&](std::size_t s) {
    return reaches_leaf(model, model.states[s].initial,
                        [](const LeafRef& leaf) { return leaf.kind == LeafKind::learned_start; });
  });
}

std::vector<NodeId> HiddenStates::leaves_of(const BoundModel& model, const std::vector<NodeId>& roots) {
  std::vector<NodeId> leaves;
  visit_dependencies(
      model.graph, roots, [](NodeId) { return false; },
      [&](NodeId id) {
        if (model.graph[id].operation == Operation::leaf) leaves.push_back(id);
      });
  return leaves;
}

HiddenStates::Part::Part(const BoundModel& model, const std::vector<NodeId>& roots, std::size_t n_windows)
    : program(model.graph, leaves_of(model, roots), roots, Grid{}),
      frame(program, n_windows),
      unread(n_windows) {
  for (NodeId id : leaves_of(model, roots)) {
    leaves.push_back(model.leaves[model.graph[id].leaf_id]);
    inputs.emplace_back(n_windows);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) frame.bind(i, inputs[i].data());
}

void HiddenStates::Part::forward(std::size_t n) {
  for (std::size_t s = 0; s < program.n_sections(); ++s) frame.forward(s, n);
}

double* HiddenStates::Part::values_of(LeafKind kind, std::size_t index, std::size_t position) {
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].kind == kind && leaves[i].index == index && leaves[i].position == position)
      return inputs[i].data();
  return unread.data();
}

namespace {

std::vector<NodeId> initial_of(const BoundModel& model, const std::vector<std::size_t>& states) {
  std::vector<NodeId> nodes;
  for (std::size_t s : states) nodes.push_back(model.states[s].initial);
  return nodes;
}

std::vector<NodeId> derivatives_of(const BoundModel& model, const std::vector<std::size_t>& states) {
  std::vector<NodeId> nodes;
  for (std::size_t s : states) nodes.push_back(model.states[s].derivative);
  return nodes;
}

}  // namespace

HiddenStates::HiddenStates(const LoadedModel& loaded, const MatchingPoints& points, const MatchedData& data,
                           std::span<const double> weights, const std::vector<std::size_t>& hidden)
    : loaded_(&loaded),
      points_(&points),
      data_(&data),
      hidden_(hidden),
      n_windows_(points.n_windows()),
      start_(*loaded.model, initial_of(*loaded.model, hidden), n_windows_),
      rate_(*loaded.model, derivatives_of(*loaded.model, hidden), n_windows_),
      present_(hidden.size(), std::vector<double>(n_windows_)),
      values_(hidden.size(), std::vector<double>(points.size())) {
  for (std::size_t w = 0; w < n_windows_; ++w)
    longest_ = std::max(longest_, points.first[w + 1] - points.first[w]);
  set_given(start_, weights);
  set_given(rate_, weights);
}

// What depends neither on θ nor on time.
void HiddenStates::set_given(Part& part, std::span<const double> weights) {
  const WindowData& data = loaded_->data->windows();
  const NetworkSet<double> places(*loaded_->model);
  for (std::size_t i = 0; i < part.leaves.size(); ++i) {
    const LeafRef& leaf = part.leaves[i];
    for (std::size_t w = 0; w < n_windows_; ++w) {
      const std::size_t window = points_->windows[w], first_row = data.windows[window].first_row;
      if (leaf.kind == LeafKind::snapshot)
        part.inputs[i][w] = data.columns[leaf.index]->at(first_row + leaf.position);
      else if (leaf.kind == LeafKind::start_time)
        part.inputs[i][w] = data.table->time[first_row];
      else if (leaf.kind == LeafKind::learned_start)
        part.inputs[i][w] =
            weights[places.start_offset(leaf.index, data.start_slots[leaf.index][window]) + leaf.position];
    }
  }
}

void HiddenStates::set_theta(Part& part, std::span<const double> theta) {
  for (std::size_t i = 0; i < part.leaves.size(); ++i)
    if (part.leaves[i].kind == LeafKind::parameter) part.inputs[i].fill(theta[part.leaves[i].index]);
}

// `share` of the way from point a to point b, where they are neighbours in a window.
double HiddenStates::input_between(std::size_t input, std::size_t a, std::size_t b, double share) const {
  const WindowData& data = loaded_->data->windows();
  const std::size_t row = points_->rows[a];
  if (data.signals)
    for (const InputSignal& signal : data.signals->signals)
      if (signal.input == input)
        return signal.track(series_of_row(*data.table, row))
            .at(data.table->time[row] + share * (points_->times[b] - points_->times[a]));
  const Column& column = *data.columns[loaded_->model->input_columns[input]];
  const double before = column.at(row), after = column.at(points_->rows[b]);
  return loaded_->spec->signals[input].hold == Hold::previous ? before : before + share * (after - before);
}

void HiddenStates::move_to(std::size_t k, double share, const std::vector<std::vector<double>>& hidden) {
  for (std::size_t i = 0; i < rate_.leaves.size(); ++i) {
    const LeafRef& leaf = rate_.leaves[i];
    const auto own = std::find(hidden_.begin(), hidden_.end(), leaf.index);
    for (std::size_t w = 0; w < n_windows_; ++w) {
      const std::size_t last = points_->first[w + 1] - 1;
      const std::size_t a = std::min(points_->first[w] + k, last), b = std::min(a + 1, last);
      const double length = points_->times[b] - points_->times[a];
      double& value = rate_.inputs[i][w];
      if (leaf.kind == LeafKind::time) {
        value = points_->times[a] + share * length;
      } else if (leaf.kind == LeafKind::input) {
        value = input_between(leaf.index, a, b, share);
      } else if (leaf.kind == LeafKind::state && own != hidden_.end()) {
        value = hidden[static_cast<std::size_t>(own - hidden_.begin())][w];
      } else if (leaf.kind == LeafKind::state) {
        const std::vector<double>&s = data_->states[leaf.index], &d = data_->derivatives[leaf.index];
        const double rest = 1 - share;
        value = s[a] * rest * rest * (1 + 2 * share) + s[b] * share * share * (3 - 2 * share) +
                length * share * rest * (d[a] * rest - d[b] * share);
      }
    }
  }
}

// From point k of every window to the next.
void HiddenStates::advance(std::size_t k) {
  constexpr std::array<double, 4> places = {0, 0.5, 0.5, 1}, shares = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  double longest = 0;
  for (std::size_t w = 0; w < n_windows_; ++w) {
    const std::size_t last = points_->first[w + 1] - 1, a = std::min(points_->first[w] + k, last);
    longest = std::max(longest, points_->times[std::min(a + 1, last)] - points_->times[a]);
  }
  const double step = loaded_->spec->solver.options.step;
  const auto n_wanted = step > 0 ? static_cast<std::size_t>(std::min(1e6, std::ceil(longest / step))) : 0;
  const std::size_t n_steps = std::clamp(n_wanted, kFewestHiddenSteps, kMostHiddenSteps);
  std::vector<std::vector<double>> stage = present_, sum = present_;
  for (std::size_t n = 0; n < n_steps; ++n) {
    const std::vector<std::vector<double>> before = present_;
    sum = before;
    stage = before;
    for (std::size_t j = 0; j < places.size(); ++j) {
      move_to(k, (static_cast<double>(n) + places[j]) / static_cast<double>(n_steps), stage);
      rate_.forward(n_windows_);
      for (std::size_t h = 0; h < hidden_.size(); ++h) {
        const double* rate = rate_.frame.value(rate_.program.output(h));
        for (std::size_t w = 0; w < n_windows_; ++w) {
          const std::size_t last = points_->first[w + 1] - 1, a = std::min(points_->first[w] + k, last);
          const double length =
              (points_->times[std::min(a + 1, last)] - points_->times[a]) / static_cast<double>(n_steps);
          sum[h][w] += shares[j] * length * rate[w];
          if (j + 1 < places.size()) stage[h][w] = before[h][w] + places[j + 1] * length * rate[w];
        }
      }
    }
    present_ = sum;
  }
}

const std::vector<std::vector<double>>& HiddenStates::at(std::span<const double> theta) {
  set_theta(start_, theta);
  set_theta(rate_, theta);
  start_.forward(n_windows_);
  for (std::size_t h = 0; h < hidden_.size(); ++h) {
    const double* start = start_.frame.value(start_.program.output(h));
    std::copy_n(start, n_windows_, present_[h].begin());
  }
  for (std::size_t k = 0; k < longest_; ++k) {
    for (std::size_t h = 0; h < hidden_.size(); ++h)
      for (std::size_t w = 0; w < n_windows_; ++w)
        if (const std::size_t p = points_->first[w] + k; p < points_->first[w + 1])
          values_[h][p] = present_[h][w];
    if (k + 1 < longest_) advance(k);
  }
  return values_;
}

}  // namespace greybox
