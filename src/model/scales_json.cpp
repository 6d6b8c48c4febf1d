#include "model/scales_json.hpp"

#include <algorithm>
#include <cmath>

namespace greybox {
namespace {

bool is_scale(double value) {
  return std::isfinite(value) && value > 0;
}

std::vector<double> scale_list(const JsonValue& json) {
  std::vector<double> scales = json.numbers();
  if (!std::ranges::all_of(scales, is_scale)) json.refuse("a list of numbers above 0");
  return scales;
}

std::map<std::string, double> scales_by_name(const JsonValue& json) {
  std::map<std::string, double> scales = json.numbers_by_name();
  if (!std::ranges::all_of(scales, [](const auto& item) { return is_scale(item.second); }))
    json.refuse("an object of numbers above 0");
  return scales;
}

}  // namespace

Json json_of(const Scales& scales) {
  Json networks = Json::object();
  for (const auto& [name, network] : scales.networks)
    networks[name] = {{"input_mean", network.input_mean},
                      {"input_scale", network.input_scale},
                      {"output_scale", network.output_scale}};
  Json json{{"networks", networks}, {"states", scales.states}, {"observed", scales.observed}};
  if (!scales.noise.empty()) json["noise"] = scales.noise;
  if (scales.starts != StartSlots{})
    json["starts"] = {{"digest", scales.starts.digest},
                      {"windows", scales.starts.n_windows},
                      {"series", scales.starts.n_series}};
  return json;
}

Scales scales_from(const JsonValue& json) {
  Scales scales;
  const JsonValue networks = json.at("networks");
  for (const std::string& name : networks.names()) {
    const JsonValue network = networks.at(name);
    scales.networks[name] = {network.at("input_mean").numbers(), scale_list(network.at("input_scale")),
                             scale_list(network.at("output_scale"))};
  }
  scales.states = scales_by_name(json.at("states"));
  scales.observed = scales_by_name(json.at("observed"));
  if (const auto noise = json.find("noise")) scales.noise = scales_by_name(*noise);
  if (const auto starts = json.find("starts"))
    scales.starts = {starts->at("digest").text(), starts->at("windows").count(),
                     starts->at("series").count()};
  return scales;
}

}  // namespace greybox
