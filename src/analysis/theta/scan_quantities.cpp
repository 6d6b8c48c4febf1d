#include "analysis/theta/scan_quantities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/theta/chance.hpp"
#include "core/limits.hpp"

namespace greybox {
namespace {

// Windows that every θ of a grid is computed with; where there are not so many times as many, that would save
// too little.
constexpr std::size_t kFewWindows = 4, kWindowsOf = 300, kLeastWindowGain = 10;
// Of what chance in the choice of windows makes, at θ between two corners of the grid: errors that nobody
// minds where nobody asked for a regularizer.
constexpr double kOfChance = 0.03;
constexpr double kChancePositions[] = {0.25, 0.5, 0.75};
// Of the logarithm of L: where L hardly depends on θ, nobody needs it to a thousandth of its range.
constexpr double kSmallestRangeOfLosses = 3;

// Of each mean, whether one of the first regularizers is computed from it.
std::vector<bool> means_behind(const BoundModel& model, std::size_t n_regularizers) {
  const Graph& graph = model.regularizer_graph;
  std::vector<bool> is_behind(graph.size()), means(model.terms.size());
  for (std::size_t r = 0; r < n_regularizers; ++r) is_behind[model.regularizers[r].value] = true;
  for (std::size_t id = graph.size(); id-- > 0;) {
    if (!is_behind[id]) continue;
    const Node& node = graph[static_cast<NodeId>(id)];
    for (std::size_t k = 0; k < node.n_arguments; ++k) is_behind[node.arguments[k]] = true;
    if (node.operation == Operation::leaf && node.leaf_id >= kFirstTermLeaf)
      means[node.leaf_id - kFirstTermLeaf] = true;
  }
  return means;
}

}  // namespace

std::vector<double> row_by_row(const std::vector<std::vector<double>>& points) {
  std::vector<double> row;
  for (const std::vector<double>& point : points) row.insert(row.end(), point.begin(), point.end());
  return row;
}

double axis_value(const LandscapeAxis& axis, double position) {
  const double low = axis.values.front(), high = axis.values.back();
  if (position <= 0) return low;
  if (position >= 1) return high;
  return axis.is_log ? std::exp(std::lerp(std::log(low), std::log(high), position))
                     : std::lerp(low, high, position);
}

template <class T>
ScanQuantities<T>::ScanQuantities(ThetaScan<T>& scan, const LoadedModel& loaded,
                                  std::span<const std::size_t> windows, const ThetaGrid& grid,
                                  const LoopProgress& progress, const InterpolationDemand& demand)
    : scan_(scan),
      loaded_(loaded),
      windows_(windows),
      grid_(grid),
      progress_(progress),
      tolerance_(demand.tolerance),
      n_exacting_(demand.n_exacting.value_or(loaded.model->regularizers.size())),
      added_to_losses_(std::isfinite(demand.loss_limit) ? demand.loss_limit : 0) {
  if (demand.n_exacting) look_at_chance();
}

// From what other windows would make of means and regularizers: the ranges that errors count against.
template <class T>
void ScanQuantities<T>::look_at_chance() {
  std::vector<std::vector<double>> points;
  for (const double position : kChancePositions) points.emplace_back(grid_.axes.size(), position);
  n_pairs_ += points.size() * windows_.size();
  ChanceSpread spread = spread_by_chance(scan_, loaded_, windows_, row_by_row(thetas_at(points)));
  for (std::vector<double>* of : {&spread.means, &spread.regularizers})
    for (double& value : *of) value *= kOfChance / tolerance_;
  smallest_ranges_ = std::move(spread.means);
  const std::vector<bool> is_exacting = means_behind(*loaded_.model, n_exacting_);
  for (std::size_t m = 0; m < is_exacting.size(); ++m)
    if (is_exacting[m]) smallest_ranges_[m] = 0;
  regularizer_ranges_ = std::move(spread.regularizers);
}

template <class T>
ThetaValues ScanQuantities<T>::computed(const std::vector<std::vector<double>>& theta,
                                        std::span<const std::size_t> windows) {
  const std::size_t n_before = n_pairs_, n_all = grid_.size() * windows_.size();
  n_pairs_ += theta.size() * windows.size();
  return scan_.evaluate(windows, row_by_row(theta), [&](std::size_t n_done, std::size_t) {
    if (progress_) progress_(std::min(n_before + n_done, n_all), n_all);
  });
}

template <class T>
std::vector<std::vector<double>> ScanQuantities<T>::thetas_at(
    const std::vector<std::vector<double>>& points) const {
  std::vector<std::vector<double>> theta;
  for (std::vector<double> point : points) {
    for (std::size_t k = 0; k < point.size(); ++k) point[k] = axis_value(grid_.axes[k], point[k]);
    theta.push_back(grid_.theta_of(point));
  }
  return theta;
}

template <class T>
Quantities ScanQuantities<T>::of(ThetaValues values) {
  const auto n_diverged = std::accumulate(values.n_diverged.begin(), values.n_diverged.end(), std::size_t{0});
  has_losses_ = n_diverged > 0 || std::any_of(values.losses.begin(), values.losses.end(),
                                              [](double loss) { return !std::isnan(loss); });
  Quantities quantities = std::move(values.means);
  const bool are_known =
      std::any_of(values.losses.begin(), values.losses.end(), [](double loss) { return !std::isnan(loss); });
  if (!is_log_ && are_known)
    is_log_ = std::ranges::all_of(values.losses, [](double loss) { return loss > 0 || std::isnan(loss); });
  if (has_losses_) {
    std::vector<double>& losses = quantities.emplace_back(std::move(values.losses));
    if (is_log_.value_or(true)) {
      for (double& loss : losses) loss = std::log(loss + added_to_losses_);
      smallest_ranges_.resize(quantities.size());
      smallest_ranges_.back() = kSmallestRangeOfLosses / tightness();
    }
  }
  return quantities;
}

template <class T>
std::vector<std::size_t> ScanQuantities<T>::few_windows() const {
  const std::size_t n = std::max(kFewWindows, windows_.size() / kWindowsOf);
  std::vector<std::size_t> few;
  if (n * kLeastWindowGain > windows_.size()) return few;
  for (std::size_t i = 0; i < n; ++i) few.push_back(windows_[(2 * i + 1) * windows_.size() / (2 * n)]);
  return few;
}

template <class T>
double ScanQuantities<T>::smallest_range(std::size_t quantity) const {
  return quantity < smallest_ranges_.size() ? smallest_ranges_[quantity] : 0;
}

template <class T>
double ScanQuantities<T>::smallest_range_of_regularizer(std::size_t r) const {
  return r < n_exacting_ || r >= regularizer_ranges_.size() ? 0 : regularizer_ranges_[r];
}

template <class T>
double ScanQuantities<T>::tightness() const {
  return std::min(1.0, tolerance_ / kInterpolationTolerance);
}

template class ScanQuantities<float>;
template class ScanQuantities<double>;

}  // namespace greybox
