#include "analysis/run/kept_landscapes.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"

namespace greybox {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN: it is written as null.
std::vector<double> numbers_from(const Json& json) {
  std::vector<double> values;
  for (const Json& value : json)
    values.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
  return values;
}

Json to_json(const LandscapeMap& map) {
  Json minima = Json::array();
  for (const LandscapeMinimum& minimum : map.minima)
    minima.push_back({{"theta", minimum.theta}, {"value", minimum.value}});
  return {{"name", map.name}, {"expression", map.expression}, {"values", map.values}, {"minima", minima}};
}

LandscapeMap map_from(const Json& json) {
  LandscapeMap map;
  map.name = json.at("name");
  map.expression = json.at("expression");
  map.values = numbers_from(json.at("values"));
  for (const Json& minimum : json.at("minima"))
    map.minima.push_back({.theta = numbers_from(minimum.at("theta")), .value = minimum.at("value")});
  return map;
}

Json to_json(const Landscape& landscape) {
  Json json = {{"model", landscape.model},       {"split", landscape.split},
               {"windows", landscape.n_windows}, {"held", landscape.held},
               {"rmse", landscape.rmse},         {"nrmse", landscape.nrmse},
               {"is_poor", landscape.is_poor},   {"adaptivity", landscape.adaptivity}};
  for (const LandscapeAxis& axis : landscape.axes)
    json["axes"].push_back(
        {{"name", axis.name}, {"unit", axis.unit}, {"about", axis.about}, {"values", axis.values}});
  for (const LandscapeMap& map : landscape.maps) json["maps"].push_back(to_json(map));
  return json;
}

Landscape landscape_from(const Json& json) {
  Landscape landscape;
  landscape.model = json.at("model");
  landscape.split = json.at("split");
  landscape.n_windows = json.at("windows");
  landscape.held = json.at("held").get<std::map<std::string, double>>();
  landscape.rmse = numbers_from(json.at("rmse"));
  landscape.nrmse = numbers_from(json.at("nrmse"));
  landscape.is_poor = json.at("is_poor").get<std::vector<std::uint8_t>>();
  landscape.adaptivity = json.at("adaptivity");
  for (const Json& axis : json.at("axes"))
    landscape.axes.push_back(
        {axis.at("name"), axis.at("unit"), axis.at("about"), numbers_from(axis.at("values"))});
  for (const Json& map : json.at("maps")) landscape.maps.push_back(map_from(map));
  return landscape;
}

}  // namespace

std::vector<Landscape> read_kept_landscapes(const std::filesystem::path& file, const std::string& key) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  try {
    const Json json = Json::parse(stream);
    if (json.at("key") != key) return {};
    std::vector<Landscape> landscapes;
    for (const Json& landscape : json.at("landscapes")) landscapes.push_back(landscape_from(landscape));
    return landscapes;
  } catch (const Json::exception&) {
    return {};
  }
}

void keep_landscapes(const std::filesystem::path& file, const std::string& key,
                     const std::vector<Landscape>& landscapes) {
  Json json = {{"key", key}, {"landscapes", Json::array()}};
  for (const Landscape& landscape : landscapes) json["landscapes"].push_back(to_json(landscape));
  std::filesystem::create_directories(file.parent_path());
  write_file_atomically(file, json.dump() + '\n');
}

}  // namespace greybox
