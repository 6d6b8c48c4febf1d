#include "analysis/reproduce/reproduce_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/limits.hpp"
#include "core/median.hpp"
#include "greybox/counted.hpp"

namespace greybox {
namespace {

constexpr const char* kAdaptive = "adaptive";

std::string place_text(const LandscapeGrid& landscape, const LandscapeMinimum& minimum) {
  if (landscape.axes.size() == 1) return fmt::format("{} = {:.3g}", landscape.axes[0].name, minimum.theta[0]);
  return fmt::format("({:.3g}, {:.3g})", minimum.theta[0], minimum.theta[1]);
}

std::string caption_of(const LandscapeGrid& landscape, const LandscapeMap& map) {
  if (map.minima.empty()) return "no finite value";
  const LandscapeMinimum& best = map.minima[0];
  const std::string spread = best.spread > 0 ? fmt::format(" ± {:.2g}", best.spread) : "";
  const std::string lowest =
      fmt::format("lowest {:.3g}{} at {}", best.value, spread, place_text(landscape, best));
  return map.minima.size() == 1 ? lowest : fmt::format("{} minima, {}", map.minima.size(), lowest);
}

FigurePanel error_panel(const LandscapeGrid& landscape, const std::string& title, LandscapeMap error,
                        std::vector<double> truth) {
  const auto [low, high] = range_of(error.values);
  return {.title = title,
          .subtitle = "error of the predictions",
          .caption = fmt::format("{:.3g} to {:.3g}", low, high),
          .axes = landscape.axes,
          .map = std::move(error),
          .is_poor = landscape.is_poor,
          .truth = std::move(truth),
          .starts_at_zero = true};
}

std::vector<double> in_percent(std::vector<double> values) {
  for (double& value : values) value *= 100;
  return values;
}

const ComparedRow& row_of(const Comparison& report, const std::string& mode, double lambda) {
  for (const ComparedRow& row : report.rows)
    if (row.mode == mode && row.lambda == lambda) return row;
  throw std::out_of_range("no such row in the comparison");
}

}  // namespace

const LandscapeMap& map_of(const LandscapeGrid& landscape, const std::string& regularizer) {
  for (const LandscapeMap& map : landscape.maps)
    if (map.name == regularizer) return map;
  throw std::out_of_range("no such regularizer in the landscape: " + regularizer);
}

FigurePanel panel_of(const LandscapeGrid& landscape, const std::string& regularizer,
                     std::vector<double> truth) {
  const LandscapeMap& map = map_of(landscape, regularizer);
  return {.title = "R: " + map.name,
          .subtitle = map.expression,
          .caption = caption_of(landscape, map),
          .axes = landscape.axes,
          .map = map,
          .is_poor = landscape.is_poor,
          .truth = std::move(truth),
          .starts_at_zero = false};
}

FigurePanel rmse_panel(const LandscapeGrid& landscape, std::vector<double> truth) {
  LandscapeMap error;
  error.values = landscape.rmse;
  error.band = landscape.rmse_band;
  return error_panel(landscape, "RMSE", std::move(error), std::move(truth));
}

FigurePanel nrmse_panel(const LandscapeGrid& landscape, std::vector<double> truth) {
  LandscapeMap error;
  error.values = in_percent(landscape.nrmse);
  error.band.spread = in_percent(landscape.nrmse_band.spread);
  for (const std::vector<double>& network : landscape.nrmse_band.networks)
    error.band.networks.push_back(in_percent(network));
  return error_panel(landscape, "NRMSE [%]", std::move(error), std::move(truth));
}

std::pair<double, double> range_of(const std::vector<double>& values) {
  double low = kNaN, high = low;
  for (double value : values) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  return {low, high};
}

std::pair<double, double> valley(const LandscapeGrid& landscape, const std::string& regularizer,
                                 std::size_t axis, double share) {
  const std::vector<double>& values = map_of(landscape, regularizer).values;
  const double limit = share * median_of(values);
  // How many places of the grid share one value of the axis.
  const std::size_t stride = axis + 1 == landscape.axes.size() ? 1 : landscape.axes.back().values.size();
  const std::vector<double>& places = landscape.axes[axis].values;
  std::vector<double> within;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] <= limit) within.push_back(places[k / stride % places.size()]);
  return range_of(within);
}

void find_spread(Reproduction& work, const LandscapeGrid& seen, const std::string& regularizer,
                 std::size_t axis) {
  std::vector<double> places;
  for (const std::vector<LandscapeMinimum>& minima : map_of(seen, regularizer).network_minima)
    if (!minima.empty()) places.push_back(minima.front().theta[axis]);
  if (places.size() < 2) return;
  const auto [low, high] = range_of(places);
  const std::string of_networks =
      fmt::format("{}: lowest at {}, of {} networks", regularizer, seen.axes[axis].name, places.size());
  work.find({of_networks + " from", low, ""});
  work.find({of_networks + " to", high, ""});
}

std::string networks_text(std::size_t n_networks) {
  return n_networks == 1 ? "one network" : fmt::format("{} networks", n_networks);
}

std::string trials_text(std::size_t n_trials, std::size_t epochs) {
  if (n_trials == 0) return "no comparison";
  return fmt::format("comparison of {} of {}", counted(n_trials, "trial"), counted(epochs, "epoch"));
}

void find_in_comparison(Reproduction& work, const Comparison& compared, bool is_logarithm) {
  double smallest = kInfinity, largest = 0;
  for (const ComparedRow& row : compared.rows) {
    smallest = std::min(smallest, row.lambda.value());
    largest = std::max(largest, row.lambda.value());
  }
  const auto regularizer = [&](const std::string& mode, double lambda) {
    return row_of(compared, mode, lambda).regularizer.mean;
  };
  double highest = -kInfinity;
  for (const ComparedRow& row : compared.rows)
    if (row.mode == kAdaptive) highest = std::max(highest, row.regularizer.mean);
  for (const char* mode : {"inductive", "transductive"}) {
    const double other = regularizer(mode, smallest);
    if (is_logarithm)
      work.find({fmt::format("R at λ = {:g}: {} minus adaptive", smallest, mode),
                 other - regularizer(kAdaptive, smallest), "above 0 (figure)", 0, kInfinity});
    else
      work.find({fmt::format("R at λ = {:g}: {} over adaptive", smallest, mode),
                 other / regularizer(kAdaptive, smallest), "well above 1 (figure)", 1.5, kInfinity});
    work.find({fmt::format("R: {} at λ = {:g} minus adaptive at its worst λ", mode, smallest),
               other - highest, "above 0 (figure)", 0, kInfinity});
  }
  work.find({fmt::format("L of adaptive: at λ = {:g} over at {:g}", largest, smallest),
             row_of(compared, kAdaptive, largest).loss.mean / row_of(compared, kAdaptive, smallest).loss.mean,
             "1 or more (figure)", 0.9, kInfinity});
}

}  // namespace greybox
