#include "model/settled_scales.hpp"

#include <algorithm>
#include <cmath>

#include "core/median.hpp"
#include "model/measured_values.hpp"
#include "model/reachable.hpp"
#include "model/start_slots.hpp"

namespace greybox {
namespace {

// Snapshots that are looked at, of a model of scalars and of one of fields.
constexpr std::size_t kScaleRows = 4096, kScaleRowsOfFields = 16;
// Rates of change are differences over a part of the window, so that noise does not make them.
constexpr std::size_t kScaleLagPart = 10, kLongestScaleLag = 10;
// Steps that differ by more than this factor are of windows that are sampled at another pace.
constexpr double kOtherPace = 100;
// What lies beyond these quantiles counts as if it lay there.
constexpr double kScaleTail = 0.025;
// Values that are copied to be sorted, at most.
constexpr std::size_t kMostSorted = std::size_t{1} << 24U;
// Part of the size of equal numbers that a deviation of them may come to.
constexpr double kRoundingAlone = 1e-9;

struct Spread {
  double mean = 0, sd = 0, rms = 0;
};

Spread spread_of(std::vector<double> values, double tail = kScaleTail) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto n_tail = static_cast<std::size_t>(tail * static_cast<double>(values.size()));
  const double low = values[n_tail], high = values[values.size() - 1 - n_tail];
  const auto n = static_cast<double>(values.size());
  Spread spread;
  for (double& value : values) {
    if (low < high) value = std::clamp(value, low, high);
    spread.mean += value / n;
  }
  double variance = 0;
  for (double value : values) {
    variance += (value - spread.mean) * (value - spread.mean) / n;
    spread.rms += value * value / n;
  }
  spread.rms = std::sqrt(spread.rms);
  if (std::sqrt(variance) > kRoundingAlone * spread.rms) spread.sd = std::sqrt(variance);
  return spread;
}

// The same in two passes over values that are too many to be copied and sorted; nothing is cut off.
template <class ForEach>
Spread streamed_spread(const ForEach& for_each_value) {
  double n = 0, sum = 0, squares = 0, variance = 0;
  for_each_value([&](double value) {
    if (!std::isfinite(value)) return;
    n += 1;
    sum += value;
    squares += value * value;
  });
  if (n == 0) return {};
  Spread spread{.mean = sum / n, .sd = 0, .rms = std::sqrt(squares / n)};
  for_each_value([&](double value) {
    if (std::isfinite(value)) variance += (value - spread.mean) * (value - spread.mean) / n;
  });
  if (std::sqrt(variance) > kRoundingAlone * spread.rms) spread.sd = std::sqrt(variance);
  return spread;
}

// The first that is a scale.
double first_scale(std::initializer_list<double> candidates) {
  for (double candidate : candidates)
    if (std::isfinite(candidate) && candidate > 0) return candidate;
  return 1;
}

std::vector<Window> windows_to_learn_from(const PreparedData& data) {
  std::vector<std::size_t> chosen;
  try {
    chosen = data.of_split(Split::train);
  } catch (const InputError&) {  // whoever asks for the split will hear of it
  }
  if (chosen.empty()) chosen = data.all();
  std::vector<Window> windows;
  for (std::size_t w : chosen) windows.push_back(data.windows().windows[w]);
  return windows;
}

std::size_t lag_of(const Window& window) {
  return std::clamp<std::size_t>((window.n_rows - 1) / kScaleLagPart, 1, kLongestScaleLag);
}

// The rows of all windows, evenly thinned out to `most`.
template <class Wanted>
std::vector<WindowRow> rows_of(const std::vector<Window>& windows, std::size_t most, Wanted is_wanted) {
  std::size_t n = 0;
  for (const Window& window : windows)
    for (std::size_t k = 0; k < window.n_rows; ++k) n += is_wanted(window, k) ? 1 : 0;
  const std::size_t n_taken = std::min(n, most);
  std::vector<WindowRow> rows;
  std::size_t i = 0;
  for (const Window& window : windows)
    for (std::size_t k = 0; k < window.n_rows && rows.size() < n_taken; ++k)
      if (is_wanted(window, k) && i++ == rows.size() * n / n_taken)
        rows.push_back({window.first_row, window.first_row + k, window.first_row + window.n_rows - 1});
  return rows;
}

class ScaleMeasurement {
 public:
  ScaleMeasurement(const BoundModel& model, const PreparedData& data)
      : model_(model),
        data_(data.windows()),
        windows_(windows_to_learn_from(data)),
        most_(model.spec->grid.is_given ? kScaleRowsOfFields : kScaleRows),
        snapshots_(model, data_, rows_of(windows_, most_, [](const Window&, std::size_t) { return true; })),
        starts_(model, data_, rows_of(windows_, most_, [](const Window&, std::size_t k) { return k == 0; })) {
  }

  Scales measure() {
    for (const Observed& observed : model_.observed) scales_.observed[observed.name] = scale_of(observed);
    for (std::size_t s = 0; s < model_.states.size(); ++s) measure_state(s);
    for (const BoundNetwork& network : model_.networks)
      if (!network.twin_of && network.spec->scale == Scaling::automatic)
        scales_.networks[network.spec->name] = scales_of(network);
    if (model_.spec->scale == Scaling::none) {
      scales_.states.clear();
      scales_.observed.clear();
    }
    for (const Observed& observed : model_.observed)
      if (observed.noise && observed.noise->is_estimated)
        scales_.noise[observed.name] = observed.noise->family->has_unit ? scale_of(observed) : 1;
    return std::move(scales_);
  }

 private:
  double scale_of(const Observed& observed) const {
    const Column& column = *data_.columns[observed.column];
    const auto for_each_value = [&](const auto& use) {
      for (const Window& window : windows_) column.for_each(window.first_row, window.n_rows, use);
    };
    std::size_t n = 0;
    for (const Window& window : windows_) n += window.n_rows * column.points();
    if (n > kMostSorted) {
      const Spread spread = streamed_spread(for_each_value);
      return first_scale({spread.sd, spread.rms});
    }
    std::vector<double> values;
    values.reserve(n);
    for_each_value([&](double value) { values.push_back(value); });
    const Spread spread = spread_of(std::move(values), 0);
    return first_scale({spread.sd, spread.rms});
  }

  // What a state is and how fast it changes: where the data do not say, the theory does.
  void measure_state(std::size_t s) {
    const BoundState& state = model_.states[s];
    const double rate = spread_of(snapshots_.values(state.theory)).rms;
    if (model_.is_algebraic()) {
      const auto observed = scales_.observed.find(state.name);
      scales_.states[state.name] =
          observed != scales_.observed.end() ? observed->second : first_scale({rate});
      rates_.push_back(scales_.states[state.name]);
      return;
    }
    const Spread spread = spread_of(snapshots_.values(state.initial), 0);
    scales_.states[state.name] = first_scale({spread.sd, spread.rms, rate * duration()});
    rates_.push_back(
        first_scale({measured_rate(state.initial), rate, scales_.states[state.name] / duration()}));
  }

  double duration() const {
    double longest = 0;
    for (const Window& window : windows_)
      longest = std::max(longest, data_.table->time[window.first_row + window.n_rows - 1] -
                                      data_.table->time[window.first_row]);
    return longest;
  }

  // 0 where the data do not say.
  double measured_rate(NodeId initial) const {
    std::vector<WindowRow> before = rows_of(windows_, most_, [](const Window& window, std::size_t k) {
      return k + lag_of(window) < window.n_rows;
    });
    if (before.empty()) return 0;
    std::vector<WindowRow> after = before;
    std::vector<double> lengths;
    for (WindowRow& row : after) {
      const std::size_t first = row.row;
      row.row += lag_of({.first_row = row.first_row, .n_rows = row.last_row - row.first_row + 1});
      lengths.push_back(data_.table->time[row.row] - data_.table->time[first]);
    }
    std::vector<double> rates = MeasuredValues(model_, data_, std::move(after)).values(initial);
    const std::vector<double> values = MeasuredValues(model_, data_, before).values(initial);
    const std::size_t points = rates.size() / lengths.size();
    for (std::size_t i = 0; i < rates.size(); ++i) rates[i] = (rates[i] - values[i]) / lengths[i / points];
    const auto [shortest, longest] = std::ranges::minmax(lengths);
    if (longest > kOtherPace * shortest) return typical_rate(before, lengths, rates, points);
    return spread_of(std::move(rates)).rms;
  }

  // Where some windows are sampled much faster than others, as in times that grow by a factor, noise there
  // looks like rates: the median over windows of their root mean square in time.
  static double typical_rate(const std::vector<WindowRow>& rows, const std::vector<double>& lengths,
                             const std::vector<double>& rates, std::size_t points) {
    std::vector<double> of_windows;
    for (std::size_t i = 0; i < rows.size();) {
      double squares = 0, time = 0;
      const std::size_t first = rows[i].first_row;
      for (; i < rows.size() && rows[i].first_row == first; ++i) {
        for (std::size_t p = 0; p < points; ++p)
          if (std::isfinite(rates[i * points + p]))
            squares += lengths[i] * rates[i * points + p] * rates[i * points + p];
        time += lengths[i] * static_cast<double>(points);
      }
      of_windows.push_back(std::sqrt(squares / time));
    }
    return median_of(std::move(of_windows));
  }

  MeasuredValues& values_for(const BoundNetwork& network) {
    return network.rate == Rate::sample ? starts_ : snapshots_;
  }

  NetworkScales scales_of(const BoundNetwork& network) {
    NetworkScales scales;
    for (NodeId input : network.inputs) {
      const Spread spread = spread_of(values_for(network).values(input));
      const bool reads_network = reaches_leaf(
          model_, input, [](const LeafRef& leaf) { return leaf.kind == LeafKind::network_output; });
      scales.input_mean.push_back(reads_network && spread.sd == 0 ? 0 : spread.mean);
      scales.input_scale.push_back(first_scale({spread.sd}));
    }
    scales.output_scale.assign(network.outputs.size(), network.is_estimator ? 1.0 : INFINITY);
    if (network.is_estimator) return scales;
    for (std::size_t s = 0; s < model_.states.size(); ++s) {
      limit(scales.output_scale, network, model_.states[s].derivative, rates_[s]);
      if (!model_.is_algebraic())
        limit(scales.output_scale, network, model_.states[s].initial,
              scales_.states.at(model_.states[s].name));
    }
    for (double& scale : scales.output_scale) scale = first_scale({scale});
    return scales;
  }

  // An output of size 1 changes `node` by about `size` at most.
  void limit(std::vector<double>& scales, const BoundNetwork& network, NodeId node, double size) {
    const std::vector<std::vector<double>> gradients = snapshots_.gradients(node, network);
    for (std::size_t o = 0; o < scales.size(); ++o)
      if (const double effect = spread_of(gradients[o]).rms; effect > 0)
        scales[o] = std::min(scales[o], size / effect);
  }

  const BoundModel& model_;
  const WindowData& data_;
  std::vector<Window> windows_;
  std::size_t most_;
  MeasuredValues snapshots_, starts_;
  Scales scales_;
  // Of each state, per time; sizes of the outputs of an algebraic model.
  std::vector<double> rates_;
};

// What the file says stands above what was measured.
void take_given(const BoundModel& model, Scales& scales) {
  for (const GivenScale& given : model.spec->given_scales) {
    for (const BoundState& state : model.states)
      if (state.name == given.name) scales.states[given.name] = given.scale;
    for (const Observed& observed : model.observed)
      if (observed.name == given.name) scales.observed[given.name] = given.scale;
  }
  for (const BoundNetwork& network : model.networks) {
    const NetworkScales& given = network.spec->given_scales;
    if (given == NetworkScales{} || network.twin_of) continue;
    NetworkScales& own = scales.networks[network.spec->name];
    const auto take = [](std::vector<double>& to, const std::vector<double>& from, std::size_t n,
                         double otherwise) {
      if (!from.empty()) to = from;
      if (to.empty()) to.assign(n, otherwise);
    };
    take(own.input_mean, given.input_mean, network.inputs.size(), 0);
    take(own.input_scale, given.input_scale, network.inputs.size(), 1);
    take(own.output_scale, given.output_scale, network.outputs.size(), 1);
  }
}

}  // namespace

bool has_scales(const ModelSpec& spec) {
  return spec.scale == Scaling::automatic || spec.has_learned_starts() || !spec.given_scales.empty() ||
         std::ranges::any_of(spec.noise, &NoiseSpec::is_estimated) ||
         std::ranges::any_of(spec.networks, [](const NetworkSpec& network) {
           return network.scale == Scaling::automatic || network.given_scales != NetworkScales{};
         });
}

Scales settle_scales(const BoundModel& model, const PreparedData& data) {
  Scales scales;
  if (!data.windows().windows.empty()) scales = ScaleMeasurement(model, data).measure();
  take_given(model, scales);
  if (model.spec->has_learned_starts()) scales.starts = slots_of(model, data);
  return scales;
}

std::shared_ptr<const ModelSpec> with_scales(const ModelSpec& spec, Scales scales) {
  auto settled = std::make_shared<ModelSpec>(spec);
  settled->scales = std::move(scales);
  return settled;
}

}  // namespace greybox
