#include "analysis/posterior/grid_values.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/theta/between_points.hpp"
#include "analysis/theta/prior_density.hpp"
#include "core/limits.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// Of the logarithm of the density.
constexpr double kDensityError = 0.02;
constexpr double kLeastTolerance = 1e-7;
// Where the density is lower than its highest by a factor of more than e to this, errors may be this part of
// what its logarithm lies further down.
constexpr double kPointError = 0.01, kLowBy = 8, kOfWhatIsLower = 0.05;
// θ whose L is above the limit by this factor have next to no probability where misfit costs.
constexpr double kNearLimit = 1.2;
// What polynomials over the whole grid must save.
constexpr std::size_t kLeastGainOfTwo = 20;

// How far R may be off, by how the density is where it is known.
class DensityErrors {
 public:
  DensityErrors(const ThetaGrid& grid, const std::vector<ParameterSpec>& parameters, double beta,
                double loss_limit)
      : grid_(grid), priors_(parameters.begin(), parameters.end()), beta_(beta), limit_(loss_limit) {}

  std::vector<double> allowed(const std::vector<std::size_t>& places, const std::vector<double>& regularizer,
                              const std::vector<double>& losses) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::vector<double> theta = grid_.theta_at(places[i]);
      double log = -beta_ * regularizer[i];
      for (std::size_t p = 0; p < theta.size(); ++p) log += priors_[p].log_density(theta[p]);
      logs.push_back(log);
      if (!std::isfinite(log)) continue;
      highest_ = std::max(highest_, log);
      if (fits(losses[i])) highest_fitting_ = std::max(highest_fitting_, log);
    }
    std::vector<double> errors;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double below = (fits(losses[i]) ? highest_fitting_ : highest_) - logs[i];
      errors.push_back((kPointError + kOfWhatIsLower * std::fmax(below - kLowBy, 0.0)) / beta_);
    }
    return errors;
  }

 private:
  bool fits(double loss) const { return !(loss > kNearLimit * limit_); }

  const ThetaGrid& grid_;
  std::vector<PriorDensity> priors_;
  double beta_, limit_;
  double highest_ = -kInfinity, highest_fitting_ = -kInfinity;
};

}  // namespace

GridValues::GridValues(const PosteriorRequest& request)
    : run_(request.run),
      windows_(request.choice.windows),
      regularizer_(request.regularizer),
      is_exact_(request.options.exact),
      pool_(request.options.execution.n_threads),
      scan_(run_.loaded, run_.weights, windows_.size(), pool_),
      progress_(request.options.execution, "distribution", kPairs) {}

RegularizerValues GridValues::picked(ThetaValues values) const {
  return {std::move(values.regularizers[regularizer_]), std::move(values.losses)};
}

RegularizerValues GridValues::compute(std::span<const double> theta) {
  return picked(scan_.evaluate(
      windows_, theta, [&](std::size_t n_done, std::size_t n_total) { progress_.show(n_done, n_total); }));
}

const GridValues::Interpolated* GridValues::covering(const GridAxes& axes, double beta) const {
  for (const Interpolated& one : interpolated_)
    if (one.error * beta <= kDensityError && one.means.covers(axes)) return &one;
  return nullptr;
}

// Once to a part of the range of R; where that is not enough for this β, once more to as small a part as it
// takes.
const GridValues::Interpolated* GridValues::interpolate(const GridAxes& axes, double beta) {
  const ThetaGrid grid = grid_over_all(*run_.loaded.spec, axes);
  const bool is_algebraic = run_.loaded.model->is_algebraic();
  double tolerance = kInterpolationTolerance;
  while (tolerance > kLeastTolerance) {
    const std::optional<InterpolatedValues> found =
        interpolate_scan(scan_, run_.loaded, windows_, grid,
                         [&](std::size_t n_done, std::size_t n_total) { progress_.show(n_done, n_total); },
                         {.tolerance = tolerance,
                          .loss_limit = run_.loss_limit(),
                          .least_gain_of_two = is_algebraic ? kLeastGain : kLeastGainOfTwo});
    if (!found) return nullptr;
    const std::vector<double>& values = found->values.regularizers[regularizer_];
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const double range = *high - *low;
    interpolated_.push_back({found->means, found->error * range});
    if (const Interpolated* one = covering(axes, beta)) return one;
    tolerance = std::min(tolerance / 2, kDensityError / (beta * range));
  }
  return nullptr;
}

RegularizerValues GridValues::over(const GridAxes& axes, double beta) {
  if (const auto known = computed_.find(axes); known != computed_.end()) return known->second;
  if (!is_exact_) {
    const Interpolated* found = covering(axes, beta);
    if (found == nullptr && !is_rough_) found = interpolate(axes, beta);
    if (found != nullptr) return picked(found->means.at(axes));
    is_rough_ = true;
    // Of algebraic models all of a grid takes less than finding out what is needed of it.
    if (!run_.loaded.model->is_algebraic() &&
        std::ranges::all_of(axes, [](const auto& axis) { return axis.size() > 2; }))
      return picked(refined(axes, beta).values);
  }
  return computed_[axes] = compute(grid_over_all(*run_.loaded.spec, axes).theta());
}

const GridValues::Refined& GridValues::refined(const GridAxes& axes, double beta) {
  for (const Refined& one : refined_)
    if (one.axes == axes && one.beta == beta) return one;
  const ThetaGrid grid = grid_over_all(*run_.loaded.spec, axes);
  std::vector<std::size_t> places(grid.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  DensityErrors errors(grid, run_.loaded.spec->parameters, beta, run_.loss_limit());
  RefinedValues found =
      refine_scan(scan_, run_.loaded, windows_, grid, places,
                  [&](std::size_t n_done, std::size_t n_total) { progress_.show(n_done, n_total); },
                  {.fit_limit = run_.loss_limit(),
                   .allowed = [&](const auto& at, const auto& values,
                                  const auto& losses) { return errors.allowed(at, values, losses); },
                   .regularizer = regularizer_});
  Quantities quantities = found.values.means;
  quantities.push_back(found.values.losses);
  for (double& loss : quantities.back()) loss = std::isnan(loss) ? 0 : std::log(loss);
  return refined_.emplace_back(
      Refined{axes, beta, std::move(found.values), positions_of(grid.axes, axes), std::move(quantities)});
}

std::vector<double> GridValues::positions_on(const Refined& refined, std::span<const double> theta) const {
  std::vector<std::vector<double>> values;
  for (const double value : theta) values.push_back({value});
  std::vector<double> positions;
  for (const std::vector<double>& of_axis :
       positions_of(grid_over_all(*run_.loaded.spec, refined.axes).axes, values))
    positions.push_back(of_axis[0]);
  return positions;
}

RegularizerValues GridValues::between(const Refined& refined,
                                      const std::vector<std::vector<double>>& draws) const {
  Quantities means(refined.quantities.size());
  for (const std::vector<double>& theta : draws) {
    const std::vector<double> found =
        between_points(refined.positions, refined.quantities, positions_on(refined, theta));
    for (std::size_t q = 0; q < found.size(); ++q) means[q].push_back(found[q]);
  }
  std::vector<double> losses = std::move(means.back());
  means.pop_back();
  for (double& loss : losses) loss = std::exp(loss);
  std::vector<std::vector<double>> values =
      regularizers_of(run_.loaded.model, means, draws.size(), {losses, range_for(run_.loaded, windows_)});
  return {std::move(values[regularizer_]), std::move(losses)};
}

RegularizerValues GridValues::at(std::span<const double> theta, double beta) {
  const std::size_t n_parameters = run_.loaded.spec->parameters.size(), n = theta.size() / n_parameters;
  RegularizerValues values{std::vector<double>(n), std::vector<double>(n)};
  std::vector<std::size_t> missing;
  std::vector<std::vector<double>> draws;
  const auto set = [&](std::size_t i, const RegularizerValues& from, std::size_t k) {
    values.regularizers[i] = from.regularizers[k];
    values.losses[i] = from.losses[k];
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::span<const double> row = theta.subspan(i * n_parameters, n_parameters);
    GridAxes axes;
    for (double value : row) axes.push_back({value});
    if (const Interpolated* found = covering(axes, beta)) {
      set(i, picked(found->means.at(axes)), 0);
    } else {
      missing.push_back(i);
      draws.emplace_back(row.begin(), row.end());
    }
  }
  const auto of_beta =
      std::find_if(refined_.rbegin(), refined_.rend(), [&](const Refined& one) { return one.beta == beta; });
  std::vector<std::size_t> left;
  std::vector<double> left_theta;
  const RegularizerValues found = of_beta == refined_.rend() || missing.empty()
                                      ? RegularizerValues{std::vector<double>(missing.size(), kNaN), {}}
                                      : between(*of_beta, draws);
  for (std::size_t k = 0; k < missing.size(); ++k) {
    if (std::isfinite(found.regularizers[k])) {
      set(missing[k], found, k);
    } else {
      left.push_back(missing[k]);
      left_theta.insert(left_theta.end(), draws[k].begin(), draws[k].end());
    }
  }
  if (left.empty()) return values;
  const RegularizerValues computed = compute(left_theta);
  for (std::size_t k = 0; k < left.size(); ++k) set(left[k], computed, k);
  return values;
}

}  // namespace greybox
