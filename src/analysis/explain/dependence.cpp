#include "analysis/explain/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/point_evaluator.hpp"

namespace greybox {
namespace {

constexpr std::size_t kDependenceValues = 41;
constexpr std::size_t kMostDependencePoints = 300;

double quantile_of(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double standard_deviation(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) mean += value / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / n);
}

// From the 1 % to the 99 % quantile: beyond, a few points would stretch the axis.
std::vector<double> values_across(const ExplainedPoints& points, std::size_t variable) {
  std::vector<double> data;
  for (const std::vector<double>& point : points.values) data.push_back(point[variable]);
  std::ranges::sort(data);
  const double low = quantile_of(data, 0.01), high = quantile_of(data, 0.99);
  std::vector<double> x;
  for (std::size_t i = 0; i < kDependenceValues; ++i)
    x.push_back(std::lerp(low, high, static_cast<double>(i) / (kDependenceValues - 1)));
  return x;
}

// f_D at any values of the variables, in the window of a point.
class Corrections {
 public:
  Corrections(const OpenedRun& run, const ExplainedPoints& points) : run_(run), points_(points) {}

  const std::vector<double>& at(std::size_t point, const std::vector<double>& values) {
    const std::size_t window = points_.window[point];
    auto found = evaluators_.find(window);
    if (found == evaluators_.end())
      found =
          evaluators_.emplace(window, make_evaluator(run_.loaded, run_.weights, points_.theta, window)).first;
    Evaluator& evaluator = found->second;
    const std::span all(values);
    if (points_.n_inputs > 0) evaluator.set_inputs(all.subspan(points_.n_states, points_.n_inputs));
    out_.resize(points_.components.size());
    evaluator.evaluate(Evaluator::Quantity::network, points_.has_time ? values.back() : points_.time[point],
                       all.first(points_.n_states), out_);
    return out_;
  }

 private:
  const OpenedRun& run_;
  const ExplainedPoints& points_;
  std::map<std::size_t, Evaluator> evaluators_;
  std::vector<double> out_;
};

}  // namespace

std::vector<PartialDependence> partial_dependences(const OpenedRun& run, const ExplainedPoints& points,
                                                   const std::vector<std::size_t>& components,
                                                   const StageProgress& stage) {
  Corrections corrections(run, points);
  const std::size_t n = std::min(points.size(), kMostDependencePoints);
  // [component][variable]
  std::vector<std::vector<PartialDependence>> found(components.size());
  for (std::size_t v = 0; v < points.variables.size(); ++v) {
    stage.show(v, points.variables.size());
    const std::vector<double> x = values_across(points, v);
    for (std::size_t c = 0; c < components.size(); ++c)
      found[c].push_back({points.components[components[c]], points.variables[v], x, {}, {}, {}, 0});
    for (const double value : x) {
      std::vector<std::vector<double>> of_component(components.size());
      for (std::size_t k = 0; k < n; ++k) {
        const std::size_t point = k * points.size() / n;
        std::vector<double> values = points.values[point];
        values[v] = value;
        const std::vector<double>& correction = corrections.at(point, values);
        for (std::size_t c = 0; c < components.size(); ++c)
          of_component[c].push_back(correction[components[c]]);
      }
      for (std::size_t c = 0; c < components.size(); ++c) {
        std::ranges::sort(of_component[c]);
        double mean = 0;
        for (const double one : of_component[c]) mean += one / static_cast<double>(n);
        found[c].back().mean.push_back(mean);
        found[c].back().low.push_back(quantile_of(of_component[c], 0.05));
        found[c].back().high.push_back(quantile_of(of_component[c], 0.95));
      }
    }
  }
  std::vector<PartialDependence> all;
  for (std::size_t c = 0; c < components.size(); ++c) {
    std::vector<double> network;
    for (const std::vector<double>& point : points.network) network.push_back(point[components[c]]);
    const double spread = standard_deviation(network);
    for (PartialDependence& one : found[c]) {
      one.strength = spread > 0 ? standard_deviation(one.mean) / spread : 0;
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace greybox
