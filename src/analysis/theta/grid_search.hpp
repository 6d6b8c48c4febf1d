// The lowest point of a grid over one or two parameters, most of whose points are interpolated.
#pragma once

#include <optional>
#include <set>

#include "analysis/theta/point_estimate.hpp"
#include "analysis/theta/theta_scan.hpp"

namespace greybox {

// Values of each parameter.
std::vector<std::vector<double>> search_axes(const SearchRange& range, std::size_t n_points);

template <class T>
class GridSearch {
 public:
  // Looks at all points; everything must outlive the search. Unless `is_exact`, values are interpolated where
  // that is safe.
  GridSearch(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
             std::vector<std::vector<double>> axes, bool is_exact, const LoopProgress& progress);

  // The lowest of the points that fit; of all, when none does. Its values are computed, as are those of its
  // neighbours, which are not lower.
  PointEstimate lowest(std::size_t regularizer, double loss_limit);
  // θ that were computed since the last call.
  std::size_t take_count();

 private:
  std::size_t n_points() const { return values_.losses.size(); }
  std::vector<double> theta_at(std::size_t place) const;
  std::optional<std::size_t> lowest_place(std::size_t regularizer, double loss_limit) const;
  std::vector<std::size_t> around(std::size_t place) const;
  // False where nothing was left to compute.
  bool compute(const std::vector<std::size_t>& places);

  ThetaScan<T>* scan_;
  std::span<const std::size_t> windows_;
  std::vector<std::vector<double>> axes_;
  ThetaValues values_;
  // All are, where nothing was interpolated.
  bool is_all_exact_ = true;
  std::set<std::size_t> exact_;
  std::size_t n_computed_ = 0;
};

extern template class GridSearch<float>;
extern template class GridSearch<double>;

}  // namespace greybox
