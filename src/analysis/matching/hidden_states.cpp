#include "analysis/matching/hidden_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "model/network_set.hpp"
#include "model/reachable.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

// Of a start between bounds, which is between 0.16 and 0.84 of the way then.
constexpr double kBoundedShift = 1.7;
constexpr std::size_t kFewestHiddenSteps = 4, kMostHiddenSteps = 32;

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
    : program(model.graph, leaves_of(model, roots), roots, Grid{}), frame(program, n_windows) {
  for (NodeId id : leaves_of(model, roots)) {
    leaves.push_back(model.leaves[model.graph[id].leaf_id]);
    inputs.emplace_back(n_windows);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) frame.bind(i, inputs[i].data());
}

void HiddenStates::Part::forward(std::size_t n) {
  for (std::size_t s = 0; s < program.n_sections(); ++s) frame.forward(s, n);
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
  find_starts();
  if (data.starts == HiddenStarts::like_prior) bring_to_prior();
  plan_steps();
  for (std::size_t i = 0; i < rate_.leaves.size(); ++i) {
    const LeafRef& leaf = rate_.leaves[i];
    const auto own = std::find(hidden_.begin(), hidden_.end(), leaf.index);
    if (leaf.kind == LeafKind::state && own != hidden_.end())
      own_.emplace_back(i, static_cast<std::size_t>(own - hidden_.begin()));
    else if (leaf.kind == LeafKind::state || leaf.kind == LeafKind::time || leaf.kind == LeafKind::input)
      moving_.emplace_back(i, nodes_of(leaf));
  }
}

// Constants of learned starts, as they were learned.
void HiddenStates::find_starts() {
  for (std::size_t i = 0; i < start_.leaves.size(); ++i) {
    const LeafRef& leaf = start_.leaves[i];
    if (leaf.kind != LeafKind::learned_start || leaf.position != 0) continue;
    const std::vector<std::size_t>& slots = loaded_->data->windows().start_slots[leaf.index];
    HiddenStart start{i, {}, loaded_->model->starts[leaf.index].has_penalty ? 1 : kBoundedShift, {}};
    start.learned.assign(start_.inputs[i].data(), start_.inputs[i].data() + n_windows_);
    for (std::size_t window : points_->windows) start.slots.push_back(slots[window]);
    starts_.push_back(std::move(start));
  }
}

// Constants of normal priors are their quantiles' distances from the mean in standard deviations. Networks
// that adapt to any start leave them anywhere, but windows as a whole are draws of the prior.
void HiddenStates::bring_to_prior() {
  for (HiddenStart& start : starts_) {
    if (start.standard != 1) continue;
    const double spread = std::sqrt(variance_of(start.learned));
    const double mean = std::accumulate(start.learned.begin(), start.learned.end(), 0.0) /
                        static_cast<double>(start.learned.size());
    if (!(spread > 0)) continue;
    for (double& constant : start.learned) constant = (constant - mean) / spread;
    std::copy(start.learned.begin(), start.learned.end(), start_.inputs[start.input].data());
  }
}

// So many steps from one snapshot to the next; what is known of their beginnings, middles and ends is nodes.
void HiddenStates::plan_steps() {
  const double step = loaded_->spec->solver.options.step;
  n_nodes_ = 0;
  for (std::size_t k = 0; k + 1 < longest_; ++k) {
    double longest = 0;
    for (std::size_t w = 0; w < n_windows_; ++w) longest = std::max(longest, length_of(w, k));
    const auto n_wanted = step > 0 ? static_cast<std::size_t>(std::min(1e6, std::ceil(longest / step))) : 0;
    n_steps_.push_back(std::clamp(n_wanted, kFewestHiddenSteps, kMostHiddenSteps));
    first_node_.push_back(n_nodes_);
    n_nodes_ += 2 * n_steps_.back() + 1;
    for (std::size_t w = 0; w < n_windows_; ++w)
      lengths_.push_back(length_of(w, k) / static_cast<double>(n_steps_.back()));
  }
}

std::pair<std::size_t, std::size_t> HiddenStates::neighbours(std::size_t window, std::size_t k) const {
  const std::size_t last = points_->first[window + 1] - 1;
  const std::size_t a = std::min(points_->first[window] + k, last);
  return {a, std::min(a + 1, last)};
}

double HiddenStates::length_of(std::size_t window, std::size_t k) const {
  const auto [a, b] = neighbours(window, k);
  return points_->times[b] - points_->times[a];
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

// A cubic with the smoothed values and derivatives at both ends.
double HiddenStates::state_between(std::size_t state, std::size_t a, std::size_t b, double share) const {
  const std::vector<double>&s = data_->states[state], &d = data_->derivatives[state];
  const double rest = 1 - share;
  return s[a] * rest * rest * (1 + 2 * share) + s[b] * share * share * (3 - 2 * share) +
         (points_->times[b] - points_->times[a]) * share * rest * (d[a] * rest - d[b] * share);
}

AlignedBuffer<double> HiddenStates::nodes_of(const LeafRef& leaf) const {
  const std::size_t stride = padded<double>(n_windows_);
  AlignedBuffer<double> nodes(n_nodes_ * stride);
  for (std::size_t k = 0; k < n_steps_.size(); ++k)
    for (std::size_t m = 0; m <= 2 * n_steps_[k]; ++m)
      for (std::size_t w = 0; w < n_windows_; ++w) {
        const double share = static_cast<double>(m) / static_cast<double>(2 * n_steps_[k]);
        const auto [a, b] = neighbours(w, k);
        nodes[(first_node_[k] + m) * stride + w] =
            leaf.kind == LeafKind::time    ? points_->times[a] + share * length_of(w, k)
            : leaf.kind == LeafKind::input ? input_between(leaf.index, a, b, share)
                                           : state_between(leaf.index, a, b, share);
      }
  return nodes;
}

// At a node, where the hidden states have these values.
void HiddenStates::find_rates(std::size_t node, const std::vector<std::vector<double>>& hidden) {
  for (const auto& [input, nodes] : moving_)
    rate_.frame.bind(input, nodes.data() + node * padded<double>(n_windows_));
  for (const auto& [input, own] : own_) std::ranges::copy(hidden[own], rate_.inputs[input].data());
  rate_.forward(n_windows_);
}

// From point k of every window to the next.
void HiddenStates::advance(std::size_t k) {
  constexpr std::array<std::size_t, 4> places = {0, 1, 1, 2};
  constexpr std::array<double, 4> shares = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, reaches = {0.5, 0.5, 1, 0};
  const double* lengths = lengths_.data() + k * n_windows_;
  for (std::size_t n = 0; n < n_steps_[k]; ++n) {
    before_ = stage_ = sum_ = present_;
    for (std::size_t j = 0; j < places.size(); ++j) {
      find_rates(first_node_[k] + 2 * n + places[j], stage_);
      for (std::size_t h = 0; h < hidden_.size(); ++h) {
        const double* rates = rate_.frame.value(rate_.program.output(h));
        const double drift = data_->drifts.empty() ? 0 : data_->drifts[h];
        double *sum = sum_[h].data(), *stage = stage_[h].data();
        const double* before = before_[h].data();
        for (std::size_t w = 0; w < n_windows_; ++w) {
          const double change = lengths[w] * (rates[w] + drift * stage[w]);
          sum[w] += shares[j] * change;
          stage[w] = before[w] + reaches[j] * change;
        }
      }
    }
    present_ = sum_;
  }
}

const std::vector<std::vector<double>>& HiddenStates::at(std::span<const double> theta,
                                                         const StartShifts& shifts) {
  set_theta(start_, theta);
  set_theta(rate_, theta);
  for (std::size_t k = 0; k < starts_.size(); ++k)
    for (std::size_t w = 0; w < n_windows_; ++w)
      start_.inputs[starts_[k].input][w] =
          starts_[k].learned[w] + (shifts.empty() ? 0 : shifts[k][w] * starts_[k].standard / kStartPace);
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

std::vector<double> HiddenStates::paces(std::span<const double> theta) {
  at(theta, {});
  std::vector<double> paces;
  for (std::size_t h = 0; h < hidden_.size(); ++h) {
    double changes = 0, squares = 0, time = 0;
    for (std::size_t w = 0; w < n_windows_; ++w)
      for (std::size_t p = points_->first[w]; p + 1 < points_->first[w + 1]; ++p) {
        const double length = points_->times[p + 1] - points_->times[p];
        changes += std::pow(values_[h][p + 1] - values_[h][p], 2) / length;
        squares += std::pow(values_[h][p], 2) * length;
        time += length;
      }
    const double pace = std::sqrt(changes / squares);
    paces.push_back(time > 0 && std::isfinite(pace) ? pace : 0);
  }
  return paces;
}

}  // namespace greybox
