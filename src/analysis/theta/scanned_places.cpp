#include "analysis/theta/scanned_places.hpp"

#include <algorithm>
#include <cmath>

#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Of the limit of what fits, what is added to L before its logarithm is taken: that has a narrow dip where
// the model is right.
constexpr double kAddedOfLimit = 0.05;
// Of log L; more where it is far from the limit of what fits: nothing hangs on it there.
constexpr double kAllowedOfLoss = 0.01, kFarFactor = 2;

InterpolationDemand with_limit(InterpolationDemand demand) {
  if (std::isfinite(demand.fit_limit))
    demand.loss_limit = std::max(demand.loss_limit, kAddedOfLimit * demand.fit_limit);
  return demand;
}

std::vector<std::vector<double>> thetas_of(const ThetaGrid& grid, const std::vector<std::size_t>& places) {
  std::vector<std::vector<double>> theta;
  for (const std::size_t place : places) theta.push_back(grid.theta_at(place));
  return theta;
}

// Values at some places of a list, and NaN at its others.
void put(const Quantities& found, const std::vector<std::size_t>& places, Quantities& all) {
  for (std::size_t q = 0; q < found.size(); ++q)
    for (std::size_t i = 0; i < places.size(); ++i) all[q][places[i]] = found[q][i];
}

}  // namespace

Quantities picked(const Quantities& values, const std::vector<std::size_t>& places) {
  Quantities some(values.size());
  for (std::size_t q = 0; q < values.size(); ++q)
    for (const std::size_t place : places) some[q].push_back(values[q][place]);
  return some;
}

template <class T>
ScannedPlaces<T>::ScannedPlaces(ThetaScan<T>& scan, const LoadedModel& loaded,
                                std::span<const std::size_t> windows, const ThetaGrid& grid,
                                const std::vector<std::size_t>& inside, const LoopProgress& progress,
                                const InterpolationDemand& demand)
    : loaded_(loaded),
      windows_(windows),
      grid_(grid),
      fit_limit_(demand.fit_limit),
      range_(range_for(loaded, windows)),
      quantities_(scan, loaded, windows, grid, progress, with_limit(demand)),
      is_inside_(grid.size()),
      is_computed_(grid.size()) {
  const std::vector<double> none(grid.size(), kNaN);
  exact_ = {none, Quantities(loaded.model->terms.size(), none),
            Quantities(loaded.model->regularizers.size(), none), std::vector<std::size_t>(grid.size())};
  found_.assign(loaded.model->terms.size() + 1, none);
  for (const std::size_t place : inside) is_inside_[place] = 1;
}

template <class T>
Quantities ScannedPlaces<T>::at(const std::vector<std::size_t>& places) {
  std::vector<std::size_t> missing;
  for (const std::size_t place : places)
    if (is_inside(place) && is_computed_[place] == 0) missing.push_back(place);
  if (!missing.empty()) compute(missing);
  return picked(found_, places);
}

template <class T>
void ScannedPlaces<T>::compute(const std::vector<std::size_t>& places) {
  ThetaValues found = quantities_.computed(thetas_of(grid_, places), windows_);
  put(found.means, places, exact_.means);
  put(found.regularizers, places, exact_.regularizers);
  for (std::size_t i = 0; i < places.size(); ++i) {
    exact_.losses[places[i]] = found.losses[i];
    exact_.n_diverged[places[i]] = found.n_diverged[i];
    is_computed_[places[i]] = 1;
  }
  put(in_order(std::move(found)), places, found_);
}

template <class T>
Quantities ScannedPlaces<T>::in_order(ThetaValues values) {
  const std::size_t n = values.losses.size();
  has_losses_ = has_losses_ || std::any_of(values.losses.begin(), values.losses.end(),
                                           [](double loss) { return !std::isnan(loss); });
  for (std::size_t i = 0; i < n && !has_losses_; ++i)
    if (values.n_diverged[i] == 0) values.losses[i] = 1;
  Quantities of = quantities_.of(std::move(values));
  for (std::size_t i = 0; i < n; ++i)
    if (!std::all_of(of.begin(), of.end(), [&](const auto& all) { return std::isfinite(all[i]); }))
      for (std::vector<double>& all : of) all[i] = kNaN;
  return of;
}

template <class T>
std::optional<Quantities> ScannedPlaces<T>::on_few_windows() {
  const std::vector<std::size_t> few = quantities_.few_windows();
  if (few.empty()) return std::nullopt;
  std::vector<std::size_t> inside;
  for (std::size_t place = 0; place < grid_.size(); ++place)
    if (is_inside(place)) inside.push_back(place);
  Quantities all(found_.size(), std::vector<double>(grid_.size(), kNaN));
  put(in_order(quantities_.computed(thetas_of(grid_, inside), few)), inside, all);
  return all;
}

template <class T>
double ScannedPlaces<T>::times_of_loss(double foretold, double found) const {
  if (!std::isfinite(foretold) && !std::isfinite(found)) return 0;
  const LossForm form = quantities_.loss_form();
  const bool is_far = std::abs(found - std::log(fit_limit_ + form.added)) > std::log(2);
  const double times =
      std::abs(foretold - found) / (kAllowedOfLoss * quantities_.tightness() * (is_far ? kFarFactor : 1));
  return std::isfinite(times) ? times : kInfinity;
}

template <class T>
std::vector<double> ScannedPlaces<T>::losses_from(const Quantities& quantities) const {
  const LossForm form = quantities_.loss_form();
  std::vector<double> losses = quantities.back();
  for (double& loss : losses) {
    if (!has_losses_) loss = kNaN;
    if (has_losses_ && form.is_log) loss = std::max(std::exp(loss) - form.added, 0.0);
  }
  return losses;
}

template <class T>
Quantities ScannedPlaces<T>::regularizers_from(Quantities quantities) const {
  const std::vector<double> losses = losses_from(quantities);
  quantities.pop_back();
  return regularizers_of(loaded_.model, quantities, losses.size(), {losses, range_});
}

template <class T>
ThetaValues ScannedPlaces<T>::completed(const Quantities& quantities) const {
  ThetaValues values{losses_from(quantities), quantities, regularizers_from(quantities),
                     std::vector<std::size_t>(grid_.size())};
  values.means.pop_back();
  for (std::size_t place = 0; place < grid_.size(); ++place) {
    if (is_computed_[place] == 0 && std::isfinite(quantities[0][place])) continue;
    values.losses[place] = exact_.losses[place];
    values.n_diverged[place] = is_computed_[place] != 0 ? exact_.n_diverged[place] : 1;
    for (std::size_t m = 0; m < values.means.size(); ++m) values.means[m][place] = exact_.means[m][place];
    for (std::size_t r = 0; r < values.regularizers.size(); ++r)
      values.regularizers[r][place] = exact_.regularizers[r][place];
  }
  return values;
}

template class ScannedPlaces<float>;
template class ScannedPlaces<double>;

}  // namespace greybox
