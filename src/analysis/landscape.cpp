// The command `landscape`: a run folder in, maps of regularizers and errors out.
#include "greybox/landscape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/adaptivity.hpp"
#include "analysis/data_reuse.hpp"
#include "analysis/minima.hpp"
#include "analysis/theta_grid.hpp"
#include "analysis/theta_scan.hpp"
#include "analysis/window_choice.hpp"
#include "model/observed_range.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

// A minimum is told when it is deeper than this part of the way from the lowest value to the median: grids
// make dents of a few percent along the bottom of a sharp valley.
constexpr double kMinDepth = 0.1;

std::vector<LandscapeMinimum> minima_of(const ThetaGrid& grid, const std::vector<double>& values) {
  const auto is_number = [](double value) { return !std::isnan(value); };
  if (std::none_of(values.begin(), values.end(), is_number)) return {};
  double lowest = std::numeric_limits<double>::infinity();
  for (double value : values) lowest = std::fmin(lowest, value);
  const double min_depth = kMinDepth * (median_of(values) - lowest);
  std::vector<LandscapeMinimum> minima;
  for (std::size_t place : find_minima(values, grid.shape(), min_depth))
    minima.push_back({grid.point(place), values[place]});
  return minima;
}

std::string expression_of(const ModelSpec& spec, const std::string& name) {
  for (const Equation& equation : spec.regularizers)
    if (equation.name == name) return equation.text;
  return name;
}

Landscape make_landscape(const OpenedRun& run, const WindowChoice& choice, const ThetaGrid& grid,
                         ThetaValues values) {
  const ModelSpec& spec = *run.loaded.spec;
  Landscape landscape;
  landscape.model = spec.name;
  landscape.split = choice.name;
  landscape.n_windows = choice.windows.size();
  landscape.axes = grid.axes;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p)
    if (std::find(grid.varied.begin(), grid.varied.end(), p) == grid.varied.end())
      landscape.held[spec.parameters[p].name] = grid.held[p];
  for (std::size_t r = 0; r < values.regularizers.size(); ++r) {
    const std::string& name = run.loaded.model->regularizers[r].name;
    std::vector<LandscapeMinimum> minima = minima_of(grid, values.regularizers[r]);
    landscape.maps.push_back(
        {name, expression_of(spec, name), std::move(values.regularizers[r]), std::move(minima)});
  }
  const double range = observed_range(run.loaded, choice.windows);
  for (double loss : values.losses) {
    landscape.rmse.push_back(std::sqrt(loss));
    landscape.nrmse.push_back(landscape.rmse.back() / range);
  }
  Adaptivity audit = audit_adaptivity(values.losses);
  landscape.is_poor = std::move(audit.is_poor);
  landscape.adaptivity = std::move(audit.sentence);
  return landscape;
}

template <class T>
std::vector<Landscape> scan(const OpenedRun& run, const WindowChoice& choice,
                            const std::vector<ThetaGrid>& grids, const LandscapeOptions& options) {
  ThreadPool pool(options.n_threads);
  ThetaScan<T> scanner(run.loaded, run.weights, choice.windows.size(), pool);
  std::size_t n_all = 0, n_before = 0;
  for (const ThetaGrid& grid : grids) n_all += grid.size() * choice.windows.size();
  std::vector<Landscape> landscapes;
  for (const ThetaGrid& grid : grids) {
    const auto progress = [&](std::size_t n_done, std::size_t) {
      if (options.progress) options.progress(n_before + n_done, n_all);
    };
    landscapes.push_back(
        make_landscape(run, choice, grid, scanner.evaluate(choice.windows, grid.theta(), progress)));
    n_before += grid.size() * choice.windows.size();
  }
  return landscapes;
}

Json to_json(const LandscapeMinimum& minimum, const std::vector<LandscapeAxis>& axes) {
  Json theta;
  for (std::size_t k = 0; k < axes.size(); ++k) theta[axes[k].name] = minimum.theta[k];
  return {{"theta", theta}, {"value", minimum.value}};
}

Json summary(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
  for (double value : values) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  return {{"min", low}, {"median", median_of(values)}, {"max", high}};
}

Json to_json(const Landscape& landscape) {
  Json json;
  for (const LandscapeAxis& axis : landscape.axes)
    json["parameters"][axis.name] = {
        {"low", axis.values.front()}, {"high", axis.values.back()}, {"points", axis.values.size()}};
  json["held"] = landscape.held;
  json["split"] = landscape.split;
  json["windows"] = landscape.n_windows;
  json["regularizers"] = Json::object();
  for (const LandscapeMap& map : landscape.maps) {
    Json& minima = json["regularizers"][map.name]["minima"] = Json::array();
    for (const LandscapeMinimum& minimum : map.minima) minima.push_back(to_json(minimum, landscape.axes));
  }
  json["rmse"] = summary(landscape.rmse);
  json["nrmse"] = summary(landscape.nrmse);
  const auto n_poor = std::count(landscape.is_poor.begin(), landscape.is_poor.end(), std::uint8_t{1});
  json["adaptivity"] = {
      {"poor_share", static_cast<double>(n_poor) / static_cast<double>(landscape.is_poor.size())},
      {"sentence", landscape.adaptivity}};
  return json;
}

void add_warnings(LandscapeReport& report) {
  for (const Landscape& landscape : report.landscapes)
    if (std::count(landscape.is_poor.begin(), landscape.is_poor.end(), std::uint8_t{1}) > 0)
      report.warnings.push_back(landscape.adaptivity);
}

}  // namespace

LandscapeReport landscape(const LandscapeOptions& options) {
  const OpenedRun run = open_run(options.run, options.data, options.regularizers);
  const WindowChoice choice = choose_windows(run, options.split, options.sample, "--split");
  const std::vector<ThetaGrid> grids =
      make_grids(*run.loaded.spec,
                 {options.vary, options.at, run.info ? run.info->theta : std::map<std::string, double>{}});
  LandscapeReport report;
  report.warnings = run.warnings;
  report.landscapes = options.single_precision ? scan<float>(run, choice, grids, options)
                                               : scan<double>(run, choice, grids, options);
  add_warnings(report);
  std::vector<std::string> seen;
  for (const BoundRegularizer& regularizer : run.loaded.model->regularizers) seen.push_back(regularizer.name);
  const std::string trouble =
      record_use(run, {"landscape", choice.name, "landscape of the regularizer", ""}, seen);
  if (!trouble.empty()) report.warnings.push_back(trouble);
  Json json;
  for (const Landscape& one : report.landscapes) json["landscapes"].push_back(to_json(one));
  json["warnings"] = report.warnings;
  report.json = json.dump();
  return report;
}

}  // namespace greybox
