#include "analysis/landscape/landscape_maps.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/landscape/adaptivity.hpp"
#include "analysis/landscape/bands.hpp"
#include "analysis/landscape/minima.hpp"
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

// `spread` may be empty.
std::vector<LandscapeMinimum> minima_of(const ModelSpec& spec, const ThetaGrid& grid,
                                        const std::vector<double>& values,
                                        const std::vector<double>& spread) {
  const auto is_number = [](double value) { return !std::isnan(value); };
  if (std::none_of(values.begin(), values.end(), is_number)) return {};
  double lowest = std::numeric_limits<double>::infinity();
  for (double value : values) lowest = std::fmin(lowest, value);
  const double min_depth = kMinDepth * (median_of(values) - lowest);
  std::vector<LandscapeMinimum> minima;
  for (std::size_t place : find_minima(values, grid.shape(), min_depth))
    minima.push_back({grid.point(place), values[place], spread.empty() ? 0 : spread[place],
                      parameters_at(spec, grid, place)});
  return minima;
}

std::string expression_of(const ModelSpec& spec, const std::string& name) {
  for (const Equation& equation : spec.regularizers)
    if (equation.name == name) return equation.text;
  return name;
}

LandscapeBand band_of(const Maps& networks) {
  if (networks.size() == 1) return {};
  return {network_spread(networks), networks};
}

LandscapeMap make_map(const std::string& name, const ModelSpec& spec, const ThetaGrid& grid,
                      const Maps& networks) {
  LandscapeMap map{name, expression_of(spec, name), network_mean(networks), {}};
  map.band = band_of(networks);
  map.minima = minima_of(spec, grid, map.values, map.band.spread);
  if (networks.size() == 1) return map;
  map.may_be_lowest = may_be_lowest(networks);
  for (const std::vector<double>& values : networks)
    map.network_minima.push_back(minima_of(spec, grid, values, {}));
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
  const Adaptivity audit = audit_adaptivity(inside, run.loss_limit());
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
    if (std::find(grid.varied.begin(), grid.varied.end(), p) == grid.varied.end())
      landscape.held[spec.parameters[p].name] = grid.held[p];
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
  for (std::size_t r = 0; r < run.loaded.model->regularizers.size(); ++r) {
    Maps maps;
    for (const ThetaValues& of_network : values) maps.push_back(of_network.regularizers[r]);
    landscape.maps.push_back(make_map(run.loaded.model->regularizers[r].name, spec, grid, maps));
  }
  add_errors(run, choice, values, landscape);
  add_adaptivity(run, grid, values, landscape);
  return landscape;
}

}  // namespace greybox
