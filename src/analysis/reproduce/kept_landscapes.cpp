#include "analysis/run/kept_landscapes.hpp"

#include <fstream>

#include "analysis/run/json_numbers.hpp"
#include "analysis/verdict/verdict_json.hpp"
#include "core/atomic_file.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<LandscapeMinimum>& minima) {
  Json json = Json::array();
  for (const LandscapeMinimum& minimum : minima)
    json.push_back({{"theta", minimum.theta},
                    {"value", minimum.value},
                    {"spread", minimum.spread},
                    {"parameters", minimum.parameters}});
  return json;
}

std::vector<LandscapeMinimum> minima_from(const Json& json) {
  std::vector<LandscapeMinimum> minima;
  for (const Json& minimum : json)
    minima.push_back({numbers_from(minimum.at("theta")), minimum.at("value"),
                      number_from(minimum.at("spread")),
                      minimum.at("parameters").get<std::map<std::string, double>>()});
  return minima;
}

Json to_json(const LandscapeBand& band) {
  return {{"spread", band.spread}, {"networks", band.networks}};
}

LandscapeBand band_from(const Json& json) {
  LandscapeBand band{numbers_from(json.at("spread")), {}};
  for (const Json& values : json.at("networks")) band.networks.push_back(numbers_from(values));
  return band;
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

LandscapeMap map_from(const Json& json) {
  LandscapeMap map;
  map.name = json.at("name");
  map.expression = json.at("expression");
  map.values = numbers_from(json.at("values"));
  map.minima = minima_from(json.at("minima"));
  map.band = band_from(json.at("band"));
  for (const Json& minima : json.at("network_minima")) map.network_minima.push_back(minima_from(minima));
  map.may_be_lowest = json.at("may_be_lowest").get<std::vector<std::uint8_t>>();
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

LandscapeGrid landscape_from(const Json& json) {
  LandscapeGrid landscape;
  landscape.model = json.at("model");
  landscape.split = json.at("split");
  landscape.n_windows = json.at("windows");
  landscape.held = json.at("held").get<std::map<std::string, double>>();
  landscape.rmse = numbers_from(json.at("rmse"));
  landscape.nrmse = numbers_from(json.at("nrmse"));
  landscape.is_poor = json.at("is_poor").get<std::vector<std::uint8_t>>();
  landscape.adaptivity = json.at("adaptivity");
  landscape.seeds = json.at("seeds").get<std::vector<std::uint64_t>>();
  landscape.rmse_band = band_from(json.at("rmse_band"));
  landscape.nrmse_band = band_from(json.at("nrmse_band"));
  for (const Json& axis : json.at("axes"))
    landscape.axes.push_back(
        {axis.at("name"), axis.at("unit"), axis.at("about"), numbers_from(axis.at("values"))});
  for (const Json& map : json.at("maps")) landscape.maps.push_back(map_from(map));
  return landscape;
}

}  // namespace

std::optional<Landscape> read_kept_landscapes(const std::filesystem::path& file,
                                                    const std::string& key) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  try {
    const Json json = Json::parse(stream);
    if (json.at("key") != key) return std::nullopt;
    Landscape report;
    for (const Json& landscape : json.at("landscapes"))
      report.grids.push_back(landscape_from(landscape));
    if (const Json& verdicts = json.at("verdicts"); !verdicts.is_null())
      report.verdicts = verdicts_from(verdicts.dump());
    return report;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void keep_landscapes(const std::filesystem::path& file, const std::string& key,
                     const Landscape& report) {
  Json json = {{"key", key},
               {"landscapes", Json::array()},
               {"verdicts", report.verdicts.json.empty() ? Json() : Json::parse(report.verdicts.json)}};
  for (const LandscapeGrid& landscape : report.grids) json["landscapes"].push_back(to_json(landscape));
  std::filesystem::create_directories(file.parent_path());
  write_file_atomically(file, json.dump() + '\n');
}

}  // namespace greybox
