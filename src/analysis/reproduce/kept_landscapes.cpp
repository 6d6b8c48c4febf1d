#include "analysis/reproduce/kept_landscapes.hpp"

#include "core/atomic_file.hpp"
#include "greybox/error.hpp"
#include "report/verdict_json.hpp"

namespace greybox {
namespace {

Json to_json(const std::vector<LandscapeMinimum>& minima) {
  Json json = Json::array();
  for (const LandscapeMinimum& minimum : minima)
    json.push_back({{"theta", minimum.theta},
                    {"value", minimum.value},
                    {"spread", minimum.spread},
                    {"parameters", minimum.parameters}});
  return json;
}

std::vector<LandscapeMinimum> minima_from(const JsonValue& json) {
  std::vector<LandscapeMinimum> minima;
  for (const JsonValue& minimum : json.elements())
    minima.push_back({minimum.at("theta").numbers(), minimum.at("value").number(),
                      minimum.at("spread").number(), minimum.at("parameters").numbers_by_name()});
  return minima;
}

Json to_json(const LandscapeBand& band) {
  return {{"spread", band.spread}, {"networks", band.networks}};
}

LandscapeBand band_from(const JsonValue& json) {
  LandscapeBand band{json.at("spread").numbers(), {}};
  for (const JsonValue& values : json.at("networks").elements()) band.networks.push_back(values.numbers());
  return band;
}

std::vector<std::uint8_t> flags_from(const JsonValue& json) {
  std::vector<std::uint8_t> flags;
  for (const JsonValue& flag : json.elements()) flags.push_back(flag.count() != 0 ? 1 : 0);
  return flags;
}

Json to_json(const LandscapeMap& map) {
  Json network_minima = Json::array();
  for (const std::vector<LandscapeMinimum>& minima : map.network_minima)
    network_minima.push_back(to_json(minima));
  return {{"name", map.name},
          {"expression", map.expression},
          {"values", map.values},
          {"minima", to_json(map.minima)},
          {"band", to_json(map.band)},
          {"network_minima", network_minima},
          {"may_be_lowest", map.may_be_lowest}};
}

LandscapeMap map_from(const JsonValue& json) {
  LandscapeMap map;
  map.name = json.at("name").text();
  map.expression = json.at("expression").text();
  map.values = json.at("values").numbers();
  map.minima = minima_from(json.at("minima"));
  map.band = band_from(json.at("band"));
  for (const JsonValue& minima : json.at("network_minima").elements())
    map.network_minima.push_back(minima_from(minima));
  map.may_be_lowest = flags_from(json.at("may_be_lowest"));
  return map;
}

Json to_json(const LandscapeGrid& landscape) {
  Json json = {{"model", landscape.model},
               {"split", landscape.split},
               {"windows", landscape.n_windows},
               {"held", landscape.held},
               {"rmse", landscape.rmse},
               {"nrmse", landscape.nrmse},
               {"is_poor", landscape.is_poor},
               {"adaptivity", landscape.adaptivity},
               {"seeds", landscape.seeds},
               {"rmse_band", to_json(landscape.rmse_band)},
               {"nrmse_band", to_json(landscape.nrmse_band)}};
  for (const LandscapeAxis& axis : landscape.axes)
    json["axes"].push_back(
        {{"name", axis.name}, {"unit", axis.unit}, {"about", axis.about}, {"values", axis.values}});
  for (const LandscapeMap& map : landscape.maps) json["maps"].push_back(to_json(map));
  return json;
}

// Throws InputError unless every list has one value for each point of the grid, or none where it may.
void check_sizes(const LandscapeGrid& grid, const JsonValue& json) {
  double n = 1;
  for (const LandscapeAxis& axis : grid.axes) n *= static_cast<double>(axis.values.size());
  const auto check = [&](std::size_t size, bool may_be_empty = false) {
    if (static_cast<double>(size) != n && !(may_be_empty && size == 0))
      json.refuse("a landscape: a list is too short");
  };
  const auto check_band = [&](const LandscapeBand& band) {
    check(band.spread.size(), true);
    for (const std::vector<double>& values : band.networks) check(values.size());
  };
  const auto check_minima = [&](const std::vector<LandscapeMinimum>& minima) {
    for (const LandscapeMinimum& minimum : minima)
      if (minimum.theta.size() != grid.axes.size()) json.refuse("a landscape: a minimum is not in it");
  };
  if (grid.axes.empty() || n == 0) json.refuse("a landscape: it has no points");
  for (const std::size_t size : {grid.rmse.size(), grid.nrmse.size(), grid.is_poor.size()}) check(size);
  check_band(grid.rmse_band);
  check_band(grid.nrmse_band);
  for (const LandscapeMap& map : grid.maps) {
    check(map.values.size());
    check(map.may_be_lowest.size(), true);
    check_band(map.band);
    check_minima(map.minima);
    for (const std::vector<LandscapeMinimum>& minima : map.network_minima) check_minima(minima);
  }
}

LandscapeGrid grid_from(const JsonValue& json) {
  LandscapeGrid grid;
  grid.model = json.at("model").text();
  grid.split = json.at("split").text();
  grid.n_windows = json.at("windows").count();
  grid.held = json.at("held").numbers_by_name();
  grid.rmse = json.at("rmse").numbers();
  grid.nrmse = json.at("nrmse").numbers();
  grid.is_poor = flags_from(json.at("is_poor"));
  grid.adaptivity = json.at("adaptivity").text();
  for (const JsonValue& seed : json.at("seeds").elements()) grid.seeds.push_back(seed.whole_number());
  grid.rmse_band = band_from(json.at("rmse_band"));
  grid.nrmse_band = band_from(json.at("nrmse_band"));
  for (const JsonValue& axis : json.at("axes").elements())
    grid.axes.push_back({axis.at("name").text(), axis.at("unit").text(), axis.at("about").text(),
                         axis.at("values").numbers()});
  for (const JsonValue& map : json.at("maps").elements()) grid.maps.push_back(map_from(map));
  check_sizes(grid, json);
  return grid;
}

}  // namespace

std::optional<KeptLandscape> read_kept_landscape(const std::filesystem::path& file, const std::string& key) {
  try {
    const std::optional<Json> json = read_json_file(file);
    if (!json) return std::nullopt;
    const JsonValue root(*json, file.string());
    if (root.at("key").text() != key) return std::nullopt;
    KeptLandscape kept;
    for (const JsonValue& grid : root.at("landscapes").elements())
      kept.landscape.grids.push_back(grid_from(grid));
    if (const auto verdicts = root.find("verdicts")) kept.verdicts = verdicts_from(*verdicts);
    return kept;
  } catch (const InputError&) {
    return std::nullopt;  // it is computed again
  }
}

void keep_landscape(const std::filesystem::path& file, const std::string& key, const KeptLandscape& kept) {
  Json json = {{"key", key},
               {"landscapes", Json::array()},
               {"verdicts", kept.verdicts ? json_of(*kept.verdicts) : Json()}};
  for (const LandscapeGrid& grid : kept.landscape.grids) json["landscapes"].push_back(to_json(grid));
  std::filesystem::create_directories(file.parent_path());
  write_file_atomically(file, json.dump() + '\n');
}

}  // namespace greybox
