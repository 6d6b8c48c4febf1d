#include "analysis/reproduce/reproduce_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "analysis/landscape/adaptivity.hpp"

namespace greybox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kAdaptive = "adaptive";

std::string place_text(const Landscape& landscape, const LandscapeMinimum& minimum) {
  std::string text;
  for (std::size_t k = 0; k < landscape.axes.size(); ++k)
    text += fmt::format("{}{} = {:.3g}", k == 0 ? "" : ", ", landscape.axes[k].name, minimum.theta[k]);
  return text;
}

std::string caption_of(const Landscape& landscape, const LandscapeMap& map) {
  if (map.minima.empty()) return "no finite value";
  const std::string lowest =
      fmt::format("lowest {:.3g} at {}", map.minima[0].value, place_text(landscape, map.minima[0]));
  return map.minima.size() == 1 ? lowest : fmt::format("{} minima, {}", map.minima.size(), lowest);
}

FigurePanel error_panel(const Landscape& landscape, const std::vector<double>& values,
                        std::vector<double> truth) {
  const auto [low, high] = range_of(values);
  return {.title = "",
          .subtitle = "error of the predictions",
          .caption = fmt::format("{:.3g} to {:.3g}", low, high),
          .axes = landscape.axes,
          .values = values,
          .is_poor = landscape.is_poor,
          .minima = {},
          .truth = std::move(truth),
          .starts_at_zero = true};
}

const ComparedRow& row_of(const CompareReport& report, const std::string& mode, double lambda) {
  for (const ComparedRow& row : report.rows)
    if (row.mode == mode && row.lambda == lambda) return row;
  throw std::out_of_range("no such row in the comparison");
}

}  // namespace

const LandscapeMap& map_of(const Landscape& landscape, const std::string& regularizer) {
  for (const LandscapeMap& map : landscape.maps)
    if (map.name == regularizer) return map;
  throw std::out_of_range("no such regularizer in the landscape: " + regularizer);
}

FigurePanel panel_of(const Landscape& landscape, const std::string& regularizer, std::vector<double> truth) {
  const LandscapeMap& map = map_of(landscape, regularizer);
  return {.title = "R: " + map.name,
          .subtitle = map.expression,
          .caption = caption_of(landscape, map),
          .axes = landscape.axes,
          .values = map.values,
          .is_poor = landscape.is_poor,
          .minima = map.minima,
          .truth = std::move(truth),
          .starts_at_zero = false};
}

FigurePanel rmse_panel(const Landscape& landscape, std::vector<double> truth) {
  FigurePanel panel = error_panel(landscape, landscape.rmse, std::move(truth));
  panel.title = "RMSE";
  return panel;
}

FigurePanel nrmse_panel(const Landscape& landscape, std::vector<double> truth) {
  std::vector<double> percent = landscape.nrmse;
  for (double& value : percent) value *= 100;
  FigurePanel panel = error_panel(landscape, percent, std::move(truth));
  panel.title = "NRMSE [%]";
  return panel;
}

std::pair<double, double> range_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
  for (double value : values) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  return {low, high};
}

std::pair<double, double> valley(const Landscape& landscape, const std::string& regularizer, std::size_t axis,
                                 double share) {
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

std::string trials_text(std::size_t n_trials, std::size_t epochs) {
  if (n_trials == 0) return "no comparison";
  return fmt::format("comparison of {} {} of {} epochs", n_trials, n_trials == 1 ? "trial" : "trials",
                     epochs);
}

void find_in_comparison(Reproduction& work, const CompareReport& compared, bool is_logarithm) {
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
