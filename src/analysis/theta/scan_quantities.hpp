// What is interpolated of a scan: the means behind regularizers, and L by its logarithm; and how right they
// have to be.
#pragma once

#include <optional>

#include "analysis/theta/interpolated_scan.hpp"

namespace greybox {

// One row after the other.
std::vector<double> row_by_row(const std::vector<std::vector<double>>& points);
// The value on an axis at a position from 0 to 1; of a logarithmic one by the logarithm.
double axis_value(const LandscapeAxis& axis, double position);

// Counts what it computes over one grid.
template <class T>
class ScanQuantities {
 public:
  ScanQuantities(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                 const ThetaGrid& grid, const LoopProgress& progress, const InterpolationDemand& demand);

  // At θ, one row each.
  ThetaValues computed(const std::vector<std::vector<double>>& theta, std::span<const std::size_t> windows);
  // Means, then L where anything is measured, by its logarithm unless it is a likelihood's.
  Quantities of(ThetaValues values);
  // Of points with one position per axis.
  std::vector<std::vector<double>> thetas_at(const std::vector<std::vector<double>>& points) const;
  // Windows that every θ of the grid can be computed with; none where there are not many times as many.
  std::vector<std::size_t> few_windows() const;

  // Ranges that are smaller count as this.
  double smallest_range(std::size_t quantity) const;
  double smallest_range_of_regularizer(std::size_t r) const;
  const std::vector<double>& smallest_ranges() const { return smallest_ranges_; }
  std::size_t n_exacting() const { return n_exacting_; }
  double tolerance() const { return tolerance_; }
  LossForm loss_form() const { return {has_losses_, is_log_.value_or(true), added_to_losses_}; }
  // However close R has to be, L need not be closer.
  double tightness() const;
  // As many θ as all computed pairs are worth.
  std::size_t n_computed() const { return (n_pairs_ + windows_.size() - 1) / windows_.size(); }

 private:
  void look_at_chance();

  ThetaScan<T>& scan_;
  const LoadedModel& loaded_;
  std::span<const std::size_t> windows_;
  const ThetaGrid& grid_;
  const LoopProgress& progress_;
  double tolerance_;
  std::size_t n_exacting_;
  double added_to_losses_;
  bool has_losses_ = true;
  std::optional<bool> is_log_;
  // Of the quantities, and of the regularizers.
  std::vector<double> smallest_ranges_, regularizer_ranges_;
  std::size_t n_pairs_ = 0;
};

extern template class ScanQuantities<float>;
extern template class ScanQuantities<double>;

}  // namespace greybox
