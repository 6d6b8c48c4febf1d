#include "analysis/theta/grid_search.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/theta/interpolated_scan.hpp"
#include "analysis/theta/search_range.hpp"

namespace greybox {
namespace {

constexpr std::size_t kPointsOfOne = 400, kPointsOfTwo = 101;  // along each axis

}  // namespace

std::vector<std::vector<double>> search_axes(const SearchRange& range, std::size_t n_points) {
  const ThetaBox& box = range.box();
  if (n_points == 0) n_points = box.size() == 1 ? kPointsOfOne : kPointsOfTwo;
  std::vector<std::vector<double>> axes;
  for (std::size_t p = 0; p < box.size(); ++p)
    axes.push_back(axis_values(range.theta_low(p), range.theta_high(p), n_points, box.is_log(p)));
  return axes;
}

template <class T>
GridSearch<T>::GridSearch(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                          std::vector<std::vector<double>> axes, bool is_exact, const LoopProgress& progress)
    : scan_(&scan), windows_(windows), axes_(std::move(axes)) {
  const ThetaGrid grid = grid_over_all(*loaded.spec, axes_);
  if (!is_exact)
    if (std::optional<InterpolatedValues> found = interpolate_scan(scan, loaded, windows, grid, progress)) {
      values_ = std::move(found->values);
      n_computed_ = found->n_computed;
      is_all_exact_ = false;
      return;
    }
  values_ = scan.evaluate(windows, grid.theta(), progress);
  n_computed_ = n_points();
}

template <class T>
PointEstimate GridSearch<T>::lowest(std::size_t regularizer, double loss_limit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto find = [&] { return lowest_place(regularizer, loss_limit); };
  std::optional<std::size_t> fitting = find();
  const auto best = [&] { return fitting ? *fitting : lowest_place(regularizer, infinity).value_or(0); };
  while (!is_all_exact_ && compute(around(best()))) fitting = find();
  const std::size_t place = best();
  const double found = values_.regularizers[regularizer][place];
  const double value = std::isfinite(found) ? found : std::numeric_limits<double>::quiet_NaN();
  return {theta_at(place), value, values_.losses[place], fitting ? value : infinity, take_count()};
}

template <class T>
std::size_t GridSearch<T>::take_count() {
  return std::exchange(n_computed_, 0);
}

template <class T>
std::vector<double> GridSearch<T>::theta_at(std::size_t place) const {
  if (axes_.size() == 1) return {axes_[0][place]};
  return {axes_[0][place / axes_[1].size()], axes_[1][place % axes_[1].size()]};
}

template <class T>
std::optional<std::size_t> GridSearch<T>::lowest_place(std::size_t regularizer, double loss_limit) const {
  const std::vector<double>& of_all = values_.regularizers[regularizer];
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < of_all.size(); ++k)
    if (std::isfinite(of_all[k]) && !(values_.losses[k] > loss_limit) && (!best || of_all[k] < of_all[*best]))
      best = k;
  return best;
}

template <class T>
std::vector<std::size_t> GridSearch<T>::around(std::size_t place) const {
  const std::size_t n_last = axes_.size() == 2 ? axes_[1].size() : 1;
  const auto near = [](std::size_t i, std::size_t n) {
    return std::pair{i > 0 ? i - 1 : 0, std::min(i + 1, n - 1)};
  };
  const auto [first, last] = near(place / n_last, axes_[0].size());
  const auto [left, right] = near(place % n_last, n_last);
  std::vector<std::size_t> places;
  for (std::size_t i = first; i <= last; ++i)
    for (std::size_t j = left; j <= right; ++j) places.push_back(i * n_last + j);
  return places;
}

template <class T>
bool GridSearch<T>::compute(const std::vector<std::size_t>& places) {
  std::vector<std::size_t> missing;
  std::vector<double> theta;
  for (std::size_t place : places) {
    if (!exact_.insert(place).second) continue;
    missing.push_back(place);
    const std::vector<double> row = theta_at(place);
    theta.insert(theta.end(), row.begin(), row.end());
  }
  if (missing.empty()) return false;
  const ThetaValues found = scan_->evaluate(windows_, theta);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    values_.losses[missing[i]] = found.losses[i];
    for (std::size_t r = 0; r < found.regularizers.size(); ++r)
      values_.regularizers[r][missing[i]] = found.regularizers[r][i];
  }
  n_computed_ += missing.size();
  return true;
}

template class GridSearch<float>;
template class GridSearch<double>;

}  // namespace greybox
