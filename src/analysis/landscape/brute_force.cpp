#include "analysis/landscape/brute_force.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/landscape/bands.hpp"
#include "core/limits.hpp"
#include "core/random.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

constexpr std::uint64_t kFirstSeed = 1000;     // beyond the run's own: clear of the seeds of bands
constexpr std::uint64_t kDesign = 1ULL << 41;  // a stream of draws beside those of the prior
struct VariedRange {
  std::size_t parameter;
  double low, high;
  bool is_log;
};

// Every parameter that some grid varies, once.
std::vector<VariedRange> varied_ranges(const std::vector<ThetaGrid>& grids) {
  std::vector<VariedRange> ranges;
  for (const ThetaGrid& grid : grids)
    for (std::size_t k = 0; k < grid.varied.size(); ++k) {
      const auto is_it = [&](const VariedRange& known) { return known.parameter == grid.varied[k]; };
      if (std::none_of(ranges.begin(), ranges.end(), is_it))
        ranges.push_back(
            {grid.varied[k], grid.axes[k].values.front(), grid.axes[k].values.back(), grid.axes[k].is_log});
    }
  return ranges;
}

std::vector<std::size_t> shuffled(std::size_t n, const Random& random, std::uint64_t stream) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i, stream, i)]);
  return order;
}

// Few digits, so that the name of a folder gives θ exactly.
double rounded(double value) {
  return std::stod(fmt::format("{:.4g}", value));
}

// Each range is cut into as many parts as there are points, and each part holds one point.
std::vector<std::vector<double>> latin_hypercube(const std::vector<ThetaGrid>& grids, const ThetaBox& box,
                                                 std::size_t n, std::uint64_t seed) {
  const Random random(seed, Purpose::analysis);
  std::vector<std::vector<double>> points(n, grids[0].held);
  for (const VariedRange& range : varied_ranges(grids)) {
    const std::uint64_t stream = kDesign + 2 * range.parameter;
    const std::vector<std::size_t> parts = shuffled(n, random, stream);
    for (std::size_t i = 0; i < n; ++i) {
      const double share =
          (static_cast<double>(parts[i]) + random.uniform(stream + 1, i)) / static_cast<double>(n);
      points[i][range.parameter] = rounded(range.is_log ? range.low * std::pow(range.high / range.low, share)
                                                        : range.low + share * (range.high - range.low));
    }
  }
  for (std::vector<double>& point : points) box.project(point);
  return points;
}

PlannedTraining plan(const OpenedRun& run, const std::vector<double>& theta, std::uint64_t number) {
  PlannedTraining training;
  std::string name;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const std::string& parameter = run.loaded.spec->parameters[p].name;
    training.theta[parameter] = theta[p];
    name += fmt::format("{}{}={}", p == 0 ? "" : ",", parameter, theta[p]);
  }
  training.name = "retrained/" + name;
  training.seed = run.seed() + kFirstSeed + number;
  return training;
}

RetrainedValue compare(const std::string& name, const std::vector<double>& adaptive, double retrained) {
  std::vector<std::vector<double>> networks;
  for (double value : adaptive) networks.push_back({value});
  const double mean = network_mean(networks)[0], spread = network_spread(networks)[0];
  const double band = prediction_factor(adaptive.size()) * spread;
  return {name, mean, spread, band, retrained, std::abs(mean - retrained) <= band};
}

// `adaptive` are values at many θ, of which this is number `place`; `retrained` at this one only.
RetrainedPoint compare_point(const OpenedRun& run, const GridValues& adaptive, std::size_t place,
                             const ThetaValues& retrained) {
  RetrainedPoint point;
  const double unit = error_unit(*run.loaded.spec);
  for (const ThetaValues& network : adaptive)
    point.adaptive_rmse += unit * std::sqrt(network.losses[place]) / static_cast<double>(adaptive.size());
  point.retrained_rmse = retrained.losses.empty() ? kNaN : unit * std::sqrt(retrained.losses[0]);
  for (std::size_t r = 0; r < run.loaded.model->regularizers.size(); ++r) {
    std::vector<double> values;
    for (const ThetaValues& network : adaptive) values.push_back(network.regularizers[r][place]);
    point.values.push_back(compare(run.loaded.model->regularizers[r].name, values,
                                   retrained.losses.empty() ? kNaN : retrained.regularizers[r][0]));
  }
  return point;
}

}  // namespace

std::vector<PlannedTraining> retrainings(const OpenedRun& run, const std::vector<ThetaGrid>& grids,
                                         const LandscapeOptions& options) {
  const std::vector<std::vector<double>> design =
      latin_hypercube(grids, ThetaBox(run.loaded.spec->parameters), options.retrain, options.seed);
  std::vector<PlannedTraining> trainings;
  for (std::size_t i = 0; i < design.size(); ++i) trainings.push_back(plan(run, design[i], i));
  return trainings;
}

std::vector<RetrainedPoint> compare_with_retraining(const OpenedRun& run, const Networks& networks,
                                                    const WindowChoice& choice,
                                                    const std::vector<ThetaGrid>& grids,
                                                    const LandscapeOptions& options) {
  const std::vector<PlannedTraining> trainings = retrainings(run, grids, options);
  const std::vector<PlannedNetwork> trained = trained_networks(run, trainings, options.execution);
  std::vector<double> theta;
  for (const PlannedTraining& training : trainings)
    for (const ParameterSpec& parameter : run.loaded.spec->parameters)
      theta.push_back(training.theta.at(parameter.name));
  const std::size_t n_parameters = run.loaded.spec->parameters.size();
  const GridValues adaptive = scan_theta(run, networks, choice, theta, options);
  std::vector<RetrainedPoint> points;
  for (std::size_t i = 0; i < trainings.size(); ++i) {
    const auto own = theta.begin() + static_cast<std::ptrdiff_t>(i * n_parameters);
    const GridValues retrained =
        trained[i].weights.empty()
            ? GridValues(1)
            : scan_theta(run, {{trained[i].weights}, {0}}, choice,
                         std::vector<double>(own, own + static_cast<std::ptrdiff_t>(n_parameters)), options);
    points.push_back(compare_point(run, adaptive, i, retrained[0]));
    points.back().theta = trainings[i].theta;
  }
  return points;
}

}  // namespace greybox
