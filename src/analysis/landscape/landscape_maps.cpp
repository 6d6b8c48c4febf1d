#include "analysis/landscape/landscape_maps.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/landscape/adaptivity.hpp"
#include "analysis/landscape/bands.hpp"
#include "analysis/landscape/minima.hpp"
#include "core/limits.hpp"
#include "core/median.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

// A minimum is reported when it is deeper than this part of the way from the lowest value to the median:
// grids make dents of a few percent along the bottom of a sharp valley.
constexpr double kMinDepth = 0.1;

using Maps = std::vector<std::vector<double>>;  // one per network

// What the axes determine: the varied parameters, or in a plane all of them.
std::map<std::string, double> parameters_at(const ModelSpec& spec, const ThetaGrid& grid, std::size_t place) {
  const std::vector<double> theta = grid.theta_at(place);
  std::map<std::string, double> parameters;
  for (std::size_t p = 0; p < theta.size(); ++p)
    if (!grid.directions.empty() || std::find(grid.varied.begin(), grid.varied.end(), p) != grid.varied.end())
      parameters[spec.parameters[p].name] = theta[p];
  return parameters;
}

// Minima of maps over one grid, some of whose points are ruled out.
class MinimumFinder {
 public:
  MinimumFinder(const ModelSpec& spec, const ThetaGrid& grid, const std::vector<std::uint8_t>& is_ruled_out)
      : spec_(spec), grid_(grid), is_ruled_out_(is_ruled_out) {}

  // Lowest first. `spread` may be empty.
  std::vector<LandscapeMinimum> minima(const std::vector<double>& values,
                                       const std::vector<double>& spread) const {
    std::vector<double> fitting = values;
    for (std::size_t place = 0; place < values.size(); ++place)
      if (is_ruled_out_[place] != 0) fitting[place] = kNaN;
    const double min_depth = kMinDepth * (median_of(fitting) - values_lowest(fitting));
    if (std::isnan(min_depth)) return {};
    const std::vector<std::size_t> shape = grid_.shape();
    std::vector<LandscapeMinimum> found;
    for (std::size_t place : find_minima(fitting, shape, min_depth)) {
      found.push_back(minimum_at(place, values, spread));
      for_neighbours(place, shape, [&](std::size_t neighbour) {
        found.back().is_cut_off |= is_ruled_out_[neighbour] != 0 && values[neighbour] < values[place];
      });
    }
    return found;
  }

  // The lowest point of all, where that is ruled out.
  std::optional<LandscapeMinimum> unconstrained(const std::vector<double>& values,
                                                const std::vector<double>& spread) const {
    const double lowest = values_lowest(values);
    for (std::size_t place = 0; place < values.size(); ++place)
      if (values[place] == lowest && is_ruled_out_[place] != 0) return minimum_at(place, values, spread);
    return std::nullopt;
  }

 private:
  // NaN where no value is a number.
  static double values_lowest(const std::vector<double>& values) {
    double lowest = kNaN;
    for (double value : values) lowest = std::fmin(lowest, value);
    return lowest;
  }

  LandscapeMinimum minimum_at(std::size_t place, const std::vector<double>& values,
                              const std::vector<double>& spread) const {
    return {grid_.point(place), values[place], spread.empty() ? 0 : spread[place],
            parameters_at(spec_, grid_, place)};
  }

  const ModelSpec& spec_;
  const ThetaGrid& grid_;
  const std::vector<std::uint8_t>& is_ruled_out_;
};

std::string expression_of(const ModelSpec& spec, const std::string& name) {
  for (const Equation& equation : spec.regularizers)
    if (equation.name == name) return equation.text;
  return name;
}

LandscapeBand band_of(const Maps& networks) {
  if (networks.size() == 1) return {};
  return {network_spread(networks), networks};
}

LandscapeMap make_map(const std::string& name, const ModelSpec& spec, const Maps& networks) {
  LandscapeMap map{name, expression_of(spec, name), network_mean(networks), {}};
  map.band = band_of(networks);
  if (networks.size() > 1) map.may_be_lowest = may_be_lowest(networks);
  return map;
}

// The roots of losses, counted in a unit.
Maps errors(const GridValues& values, double unit) {
  Maps maps;
  for (const ThetaValues& of_network : values) {
    std::vector<double>& map = maps.emplace_back();
    for (double loss : of_network.losses) map.push_back(std::sqrt(loss) / unit);
  }
  return maps;
}

void add_errors(const OpenedRun& run, const WindowChoice& choice, const GridValues& values,
                LandscapeGrid& landscape) {
  const double unit = error_unit(*run.loaded.spec), range = observed_range(run.loaded, choice.windows);
  const Maps rmse = errors(values, 1 / unit), nrmse = errors(values, range / unit);
  landscape.rmse = network_mean(rmse);
  landscape.nrmse = network_mean(nrmse);
  landscape.rmse_band = band_of(rmse);
  landscape.nrmse_band = band_of(nrmse);
}

// Points outside the bounds, which a plane may have, are not to blame on the network.
void add_adaptivity(const OpenedRun& run, const ThetaGrid& grid, const GridValues& values,
                    LandscapeGrid& landscape) {
  Maps losses;
  for (const ThetaValues& of_network : values) losses.push_back(of_network.losses);
  const std::vector<double> mean = network_mean(losses);
  const std::vector<std::size_t> places = grid.places_within(ThetaBox(run.loaded.spec->parameters));
  std::vector<double> inside;
  for (std::size_t place : places) inside.push_back(mean[place]);
  const Adaptivity audit = audit_adaptivity(inside, run);
  landscape.is_poor.assign(mean.size(), 0);
  for (std::size_t i = 0; i < places.size(); ++i) landscape.is_poor[places[i]] = audit.is_poor[i];
  landscape.adaptivity = audit.sentence;
}

// Either what is held beside the axes, or the plane.
void add_place(const ModelSpec& spec, const ThetaGrid& grid, LandscapeGrid& landscape) {
  if (!grid.directions.empty()) {
    landscape.view = {grid.view, {}, grid.held, grid.directions};
    for (const ParameterSpec& parameter : spec.parameters)
      landscape.view.parameters.push_back(parameter.name);
    return;
  }
  for (std::size_t p = 0; p < spec.parameters.size(); ++p)
    if (std::find(grid.varied.begin(), grid.varied.end(), p) == grid.varied.end()) {
      landscape.held[spec.parameters[p].name] = grid.held[p];
      landscape.held_names.push_back(spec.parameters[p].name);
    }
}

}  // namespace

LandscapeGrid make_landscape(const OpenedRun& run, const Networks& networks, const WindowChoice& choice,
                             const ThetaGrid& grid, const GridValues& values) {
  const ModelSpec& spec = *run.loaded.spec;
  LandscapeGrid landscape;
  landscape.model = spec.name;
  landscape.split = choice.description.empty() ? choice.name : choice.description;
  landscape.n_windows = choice.windows.size();
  landscape.axes = grid.axes;
  landscape.seeds = networks.seeds;
  add_place(spec, grid, landscape);
  add_adaptivity(run, grid, values, landscape);
  for (std::size_t r = 0; r < run.loaded.model->regularizers.size(); ++r) {
    Maps maps;
    for (const ThetaValues& of_network : values) maps.push_back(of_network.regularizers[r]);
    landscape.maps.push_back(make_map(run.loaded.model->regularizers[r].name, spec, maps));
  }
  add_errors(run, choice, values, landscape);
  return landscape;
}

void add_minima(const OpenedRun& run, const ThetaGrid& grid, LandscapeGrid& landscape) {
  std::vector<std::uint8_t> is_ruled_out = landscape.is_poor;
  for (std::size_t i = 0; i < landscape.is_excluded.size(); ++i) is_ruled_out[i] |= landscape.is_excluded[i];
  const MinimumFinder finder(*run.loaded.spec, grid, is_ruled_out);
  for (LandscapeMap& map : landscape.maps) {
    map.minima = finder.minima(map.values, map.band.spread);
    map.unconstrained = finder.unconstrained(map.values, map.band.spread);
    for (const std::vector<double>& values : map.band.networks)
      map.network_minima.push_back(finder.minima(values, {}));
  }
}

}  // namespace greybox
