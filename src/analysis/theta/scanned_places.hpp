// What was computed at places of a grid, and what is made of it.
#pragma once

#include "analysis/theta/refined_grid.hpp"
#include "analysis/theta/scan_quantities.hpp"

namespace greybox {

// At some places, of values at all.
Quantities picked(const Quantities& values, const std::vector<std::size_t>& places);

// Quantities are means, then log L (L of likelihoods; a constant where nothing is measured). At a place
// either all or none of them are numbers.
template <class T>
class ScannedPlaces {
 public:
  // Values at places that are not among `inside` are NaN without being computed.
  ScannedPlaces(ThetaScan<T>& scan, const LoadedModel& loaded, std::span<const std::size_t> windows,
                const ThetaGrid& grid, const std::vector<std::size_t>& inside, const LoopProgress& progress,
                const InterpolationDemand& demand);

  // Computes those that were not computed before; places rise.
  Quantities at(const std::vector<std::size_t>& places);
  // At all places; none where there are not windows enough.
  std::optional<Quantities> on_few_windows();

  bool is_inside(std::size_t place) const { return is_inside_[place] != 0; }
  bool is_poor(std::size_t place) const { return exact_.losses[place] > fit_limit_; }
  bool is_poor_loss(double loss) const { return loss > fit_limit_; }
  double loss(std::size_t place) const { return exact_.losses[place]; }
  const std::vector<double>& regularizer(std::size_t r) const { return exact_.regularizers[r]; }
  // How far apart two L are, in units of the error that is allowed.
  double times_of_loss(double foretold, double found) const;

  std::vector<double> losses_from(const Quantities& quantities) const;
  Quantities regularizers_from(Quantities quantities) const;
  // With interpolated values where nothing was computed.
  ThetaValues completed(const Quantities& quantities) const;
  bool has_log_losses() const { return has_losses_ && quantities_.loss_form().is_log; }
  const ScanQuantities<T>& quantities() const { return quantities_; }

 private:
  void compute(const std::vector<std::size_t>& places);
  Quantities in_order(ThetaValues values);

  const LoadedModel& loaded_;
  std::span<const std::size_t> windows_;
  const ThetaGrid& grid_;
  double fit_limit_, range_;
  ScanQuantities<T> quantities_;
  std::vector<std::uint8_t> is_inside_, is_computed_;
  // NaN where nothing was computed.
  ThetaValues exact_;
  Quantities found_;
  bool has_losses_ = false;
};

extern template class ScannedPlaces<float>;
extern template class ScannedPlaces<double>;

}  // namespace greybox
