#include "analysis/theta/theta_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/nearest_name.hpp"

namespace greybox {
namespace {

constexpr std::size_t kPointsOfPairs = 41, kMostPoints = 10'000'000;
constexpr std::array<std::size_t, 4> kPointsByAxes = {kGridPoints, kGridPoints, 25,
                                                      11};  // of one grid over all that varies

class GridMaker {
 public:
  GridMaker(const ModelSpec& spec, const GridRequest& request)
      : spec_(spec), request_(request), box_(spec.parameters) {}

  std::vector<ThetaGrid> make() {
    std::vector<VariedParameter> vary = request_.vary;
    if (vary.empty())
      for (const ParameterSpec& parameter : spec_.parameters)
        if (!request_.at.contains(parameter.name)) vary.push_back({parameter.name, {}, {}, {}});
    std::vector<std::size_t> varied;
    for (const VariedParameter& item : vary)
      if (const auto p = place_of(item.name, "vary")) varied.push_back(*p);
    check_twice(vary);
    const std::vector<double> held = held_values();
    if (vary.empty())
      mistake("vary", "no parameter is left to vary", "hold fewer parameters with option `at`");
    if (!mistakes_.empty()) throw InputError(std::move(mistakes_));

    const bool is_one = varied.size() <= std::min(request_.most_axes, kPointsByAxes.size());
    const std::size_t n_points = is_one ? kPointsByAxes[varied.size() - 1] : kPointsOfPairs;
    std::vector<LandscapeAxis> axes;
    for (std::size_t k = 0; k < vary.size(); ++k) axes.push_back(axis(vary[k], varied[k], n_points));
    if (!mistakes_.empty()) throw InputError(std::move(mistakes_));
    if (is_one) return {checked({varied, axes, held})};
    std::vector<ThetaGrid> pairs;
    for (std::size_t i = 0; i < varied.size(); ++i)
      for (std::size_t j = i + 1; j < varied.size(); ++j)
        pairs.push_back(checked({{varied[i], varied[j]}, {axes[i], axes[j]}, held}));
    return pairs;
  }

  std::vector<double> held_point() {
    std::vector<double> held = held_values();
    if (!mistakes_.empty()) throw InputError(std::move(mistakes_));
    return held;
  }

 private:
  void mistake(std::string place, std::string message, std::string help) {
    mistakes_.push_back(
        Diagnostic{.option = std::move(place), .message = std::move(message), .help = std::move(help)});
  }

  std::optional<std::size_t> place_of(const std::string& name, const std::string& option) {
    std::vector<std::string> names;
    for (const ParameterSpec& parameter : spec_.parameters) names.push_back(parameter.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const auto near = nearest_name(name, names);
    mistake(option, fmt::format("the model has no parameter `{}`", name),
            near ? fmt::format("did you mean `{}`?", *near)
                 : fmt::format("its parameters are {}", fmt::join(names, ", ")));
    return {};
  }

  void check_twice(const std::vector<VariedParameter>& vary) {
    for (std::size_t k = 0; k < vary.size(); ++k) {
      const auto is_same = [&](const VariedParameter& other) { return other.name == vary[k].name; };
      if (std::any_of(vary.begin(), vary.begin() + static_cast<std::ptrdiff_t>(k), is_same))
        mistake("vary", fmt::format("parameter `{}` is varied twice", vary[k].name), "give one range for it");
      if (request_.at.contains(vary[k].name))
        mistake("at", fmt::format("parameter `{}` is both varied and held", vary[k].name),
                "leave out one of the two");
    }
  }

  void check_bounds(const std::string& option, const ParameterSpec& parameter, double value) {
    if (value >= parameter.low && value <= parameter.high) return;
    mistake(option, fmt::format("{} = {} is outside its bounds", parameter.name, value),
            fmt::format("the model file allows {} to {}: the network has seen nothing beyond", parameter.low,
                        parameter.high));
  }

  std::vector<double> held_values() {
    std::vector<double> held = box_.middle();
    for (std::size_t p = 0; p < held.size(); ++p)
      if (const auto known = request_.reference.find(spec_.parameters[p].name);
          known != request_.reference.end())
        held[p] = known->second;
    for (const auto& [name, value] : request_.at)
      if (const auto p = place_of(name, "at")) {
        check_bounds("at", spec_.parameters[*p], value);
        held[*p] = value;
      }
    return held;
  }

  LandscapeAxis axis(const VariedParameter& item, std::size_t p, std::size_t n_points) {
    const ParameterSpec& parameter = spec_.parameters[p];
    const double low = item.low.value_or(box_.likely_low()[p]),
                 high = item.high.value_or(box_.likely_high()[p]);
    const std::size_t n = item.n_points.value_or(n_points);
    if (!(low < high))
      mistake("vary", fmt::format("the range of `{}` goes from {} to {}", item.name, low, high),
              "its low end must be below its high end");
    if (n < 2)
      mistake("vary", fmt::format("`{}` is to take {} values", item.name, n),
              "a range needs at least 2 points");
    check_bounds("vary", parameter, low);
    check_bounds("vary", parameter, high);
    const bool is_log = parameter.is_log && low > 0;
    return {parameter.name, parameter.unit, parameter.about,
            axis_values(low, high, std::min(n, kMostPoints + 1), is_log), is_log};
  }

  static ThetaGrid checked(ThetaGrid grid) {
    std::size_t n = 1;
    for (const LandscapeAxis& axis : grid.axes) n *= axis.values.size();
    if (n <= kMostPoints) return grid;
    throw InputError(Diagnostic{.option = "vary",
                                .message = fmt::format("the grid has more than {} points", kMostPoints),
                                .help = "ask for fewer points"});
  }

  const ModelSpec& spec_;
  const GridRequest& request_;
  ThetaBox box_;
  std::vector<Diagnostic> mistakes_;
};

}  // namespace

std::vector<std::size_t> ThetaGrid::shape() const {
  std::vector<std::size_t> shape;
  for (const LandscapeAxis& axis : axes) shape.push_back(axis.values.size());
  return shape;
}

std::size_t ThetaGrid::size() const {
  std::size_t n = 1;
  for (const LandscapeAxis& axis : axes) n *= axis.values.size();
  return n;
}

std::vector<double> ThetaGrid::point(std::size_t place) const {
  std::vector<double> values(axes.size());
  for (std::size_t k = axes.size(); k-- > 0; place /= axes[k].values.size())
    values[k] = axes[k].values[place % axes[k].values.size()];
  return values;
}

std::vector<double> ThetaGrid::theta_at(std::size_t place) const {
  return theta_of(point(place));
}

std::vector<double> ThetaGrid::theta_of(const std::vector<double>& point) const {
  std::vector<double> theta = held;
  for (std::size_t k = 0; k < varied.size(); ++k) theta[varied[k]] = point[k];
  for (std::size_t k = 0; k < directions.size(); ++k)
    for (std::size_t p = 0; p < theta.size(); ++p) theta[p] += point[k] * directions[k][p];
  return theta;
}

std::vector<double> ThetaGrid::theta() const {
  std::vector<double> theta;
  theta.reserve(size() * held.size());
  for (std::size_t place = 0; place < size(); ++place) {
    const std::vector<double> one = theta_at(place);
    theta.insert(theta.end(), one.begin(), one.end());
  }
  return theta;
}

std::vector<std::size_t> ThetaGrid::places_within(const ThetaBox& box) const {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < size(); ++place)
    if (box.contains(theta_at(place))) places.push_back(place);
  return places;
}

std::vector<double> axis_values(double low, double high, std::size_t n, bool is_log) {
  if (!is_log) return evenly_spaced_values(low, high, n);
  std::vector<double> values = evenly_spaced_values(std::log(low), std::log(high), n);
  for (double& value : values) value = std::clamp(std::exp(value), low, high);
  if (n > 0) values.back() = high;
  if (n > 1) values.front() = low;
  return values;
}

std::vector<double> evenly_spaced_values(double low, double high, std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(i + 1 == n ? high
                                : low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1));
  return values;
}

std::vector<double> held_point(const ModelSpec& spec, const GridRequest& request) {
  return GridMaker(spec, request).held_point();
}

std::vector<ThetaGrid> make_grids(const ModelSpec& spec, const GridRequest& request) {
  return GridMaker(spec, request).make();
}

}  // namespace greybox
