#include "analysis/simulate/predictive_bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/limits.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr int kBisections = 50;
// The noise is at least so much of the error: an ensemble wider than its errors is no proof that there is
// none.
constexpr double kLeastNoise = 0.1;

double normal_cdf(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

double mixture_quantile(std::span<const double> centres, double sd, double share) {
  const auto [least, most] = std::ranges::minmax(centres);
  double low = least - 12 * sd, high = most + 12 * sd;
  for (int k = 0; k < kBisections; ++k) {
    const double middle = std::midpoint(low, high);
    double below = 0;
    for (const double centre : centres)
      below += sd > 0 ? normal_cdf((middle - centre) / sd) : (centre <= middle ? 1.0 : 0.0);
    (below < share * static_cast<double>(centres.size()) ? low : high) = middle;
  }
  return std::midpoint(low, high);
}

// Calls f(output, place, measured) for every value that is measured.
template <class F>
void for_measured(const BoundModel& model, const EnsemblePrediction& ensemble, F&& f) {
  for (std::size_t o = 0; o < model.observed.size(); ++o) {
    const std::vector<double>& measured = ensemble.first().data[model.observed[o].column].values;
    const std::size_t n = ensemble.n_windows() * ensemble.values_per_window(o);
    for (std::size_t place = 0; place < n; ++place)
      if (!std::isnan(measured[place])) f(o, place, measured[place]);
  }
}

}  // namespace

EnsemblePrediction::EnsemblePrediction(const LoadedModel& loaded, const Ensemble& ensemble,
                                       std::vector<std::size_t> windows, ThreadPool& pool,
                                       const std::function<void()>& after_each)
    : n_windows_(windows.size()), n_draws_(ensemble.n_draws()) {
  for (std::size_t k = 0; k < ensemble.networks.size(); ++k) {
    PredictionRequest request{ensemble.networks.weights[k], {}, {}, {}, true};
    for (const std::vector<double>& draw : ensemble.theta[k]) {
      request.windows.insert(request.windows.end(), windows.begin(), windows.end());
      for (std::size_t w = 0; w < windows.size(); ++w)
        request.theta.insert(request.theta.end(), draw.begin(), draw.end());
    }
    predictions_.push_back(make_prediction<double>(loaded, request, pool));
    after_each();
  }
}

std::size_t EnsemblePrediction::values_per_window(std::size_t variable) const {
  return n_steps() * variables()[variable].height * variables()[variable].width;
}

void EnsemblePrediction::members_at(std::size_t variable, std::size_t place,
                                    std::vector<double>& values) const {
  values.clear();
  const std::size_t stride = n_windows_ * values_per_window(variable);
  for (const Prediction& prediction : predictions_)
    for (std::size_t draw = 0; draw < n_draws_; ++draw)
      if (const double value = prediction.variables[variable].values[draw * stride + place];
          std::isfinite(value))
        values.push_back(value);
}

BandInterval mixture_interval(std::span<const double> centres, double sd, double level) {
  if (centres.empty() || std::isnan(sd)) return {kNaN, kNaN};
  return {mixture_quantile(centres, sd, (1 - level) / 2), mixture_quantile(centres, sd, (1 + level) / 2)};
}

BandInterval band_at(const EnsemblePrediction& ensemble, const BandSettings& settings, std::size_t output,
                     std::size_t place, std::vector<double>& scratch) {
  ensemble.members_at(output, place, scratch);
  const BandInterval band = mixture_interval(scratch, settings.noise[output], settings.level);
  const double middle = std::midpoint(band.low, band.high);
  const double half = settings.factor[output] * (band.high - band.low) / 2;
  return {middle - half, middle + half};
}

std::vector<double> measured_noise(const BoundModel& model, const EnsemblePrediction& ensemble) {
  std::vector<double> squared(model.observed.size()), spread(squared.size()), n(squared.size()), values;
  for_measured(model, ensemble, [&](std::size_t o, std::size_t place, double measured) {
    ensemble.members_at(o, place, values);
    if (values.empty()) return;
    double mean = 0, variance = 0;
    const auto n_members = static_cast<double>(values.size());
    for (const double value : values) mean += value / n_members;
    for (const double value : values) variance += (value - mean) * (value - mean) / n_members;
    squared[o] += (measured - mean) * (measured - mean);
    spread[o] += variance;
    n[o] += 1;
  });
  for (std::size_t o = 0; o < n.size(); ++o)
    squared[o] = std::sqrt(std::max(squared[o] - spread[o], kLeastNoise * kLeastNoise * squared[o]) / n[o]);
  return squared;
}

std::vector<double> conformal_factors(const BoundModel& model, const EnsemblePrediction& ensemble,
                                      const BandSettings& settings) {
  const auto n_windows = static_cast<double>(ensemble.n_windows());
  const double share = std::ceil((n_windows + 1) * settings.level) / n_windows;
  if (share > 1)
    refuse_option("conformal",
                  fmt::format("{} validation windows are too few to vouch for {:g} %", ensemble.n_windows(),
                              100 * settings.level),
                  fmt::format("that takes {:.0f}; or ask for a lower option `level`",
                              std::ceil(settings.level / (1 - settings.level))));
  std::vector<std::vector<double>> scores(model.observed.size());
  std::vector<double> scratch;
  for_measured(model, ensemble, [&](std::size_t o, std::size_t place, double measured) {
    const BandInterval band = band_at(ensemble, settings, o, place, scratch);
    const double score = std::abs(measured - std::midpoint(band.low, band.high)) * 2 / (band.high - band.low);
    scores[o].push_back(std::isnan(score) ? std::numeric_limits<double>::infinity() : score);
  });
  std::vector<double> factors;
  for (std::vector<double>& of_output : scores) {
    std::ranges::sort(of_output);
    const auto n = static_cast<double>(of_output.size());
    const auto place = static_cast<std::size_t>(std::max(std::ceil(share * n) - 1, 0.0));
    factors.push_back(of_output.empty() ? 1 : of_output[std::min(place, of_output.size() - 1)]);
  }
  return factors;
}

std::vector<BandCheck> check_bands(const BoundModel& model, const EnsemblePrediction& ensemble,
                                   const BandSettings& settings) {
  std::vector<BandCheck> checks;
  for (std::size_t o = 0; o < model.observed.size(); ++o)
    checks.push_back(
        {.name = model.observed[o].name, .noise = settings.noise[o], .factor = settings.factor[o]});
  std::vector<double> n_inside(checks.size()), widths(checks.size()), scratch;
  for_measured(model, ensemble, [&](std::size_t o, std::size_t place, double measured) {
    const BandInterval band = band_at(ensemble, settings, o, place, scratch);
    ++checks[o].n_values;
    n_inside[o] += measured >= band.low && measured <= band.high ? 1 : 0;
    widths[o] += std::isnan(band.low) ? 0 : band.high - band.low;
  });
  for (std::size_t o = 0; o < checks.size(); ++o) {
    if (checks[o].n_values == 0) continue;
    checks[o].coverage = n_inside[o] / static_cast<double>(checks[o].n_values);
    checks[o].mean_width = widths[o] / static_cast<double>(checks[o].n_values);
  }
  return checks;
}

}  // namespace greybox
