// Landscapes that lie in the run's folder, as the page shows them: known members alone, and sizes that fit.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/page/report_parts.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

// More than any page has.
constexpr std::size_t kMostPagePoints = std::size_t{1} << 26U;

// Known members alone, each of its type and size: `n` numbers of four bytes.
Json checked_numbers(const JsonValue& value, std::size_t n) {
  std::string text = value.at("f32").text();
  if (text.size() != (4 * n + 2) / 3 * 4) value.refuse(fmt::format("{} packed numbers", n));
  return {{"f32", std::move(text)}};
}

Json checked_axis(const JsonValue& axis) {
  return {{"name", axis.at("name").text()},
          {"unit", axis.at("unit").text()},
          {"about", axis.at("about").text()},
          {"values", axis.at("values").numbers()},
          {"scale", axis.at("scale").text()}};
}

Json checked_network(const JsonValue& network, std::size_t n, std::size_t n_terms) {
  Json json{{"seed", network.at("seed").whole_number()},
            {"terms", Json::array()},
            {"loss", checked_numbers(network.at("loss"), n)},
            {"poor", checked_numbers(network.at("poor"), n)},
            {"adaptivity", network.at("adaptivity").text()}};
  for (const JsonValue& term : network.at("terms").elements())
    json["terms"].push_back(checked_numbers(term, n));
  if (json["terms"].size() != n_terms) network.at("terms").refuse("a list with all terms");
  return json;
}

Json checked_grid(const JsonValue& grid) {
  Json axes = Json::array();
  std::size_t n = 1;
  for (const JsonValue& axis : grid.at("axes").elements()) {
    axes.push_back(checked_axis(axis));
    n *= axis.at("values").elements().size();
    if (n == 0 || n > kMostPagePoints) axis.refuse("an axis of a landscape");
  }
  Json json{{"axes", std::move(axes)},
            {"held", grid.at("held").numbers_by_name()},
            {"split", grid.at("split").text()},
            {"windows", grid.at("windows").count()},
            {"range", grid.at("range").number()},
            {"terms", grid.at("terms").texts()},
            {"networks", Json::array()},
            {"poor", checked_numbers(grid.at("poor"), n)},
            {"adaptivity", grid.at("adaptivity").text()}};
  for (const JsonValue& network : grid.at("networks").elements())
    json["networks"].push_back(checked_network(network, n, json["terms"].size()));
  return json;
}

bool has_terms(const Json& grid, const std::vector<std::string>& terms) {
  const auto known = grid.at("terms").get<std::vector<std::string>>();
  return std::all_of(terms.begin(), terms.end(), [&](const std::string& term) {
    return std::find(known.begin(), known.end(), term) != known.end();
  });
}

}  // namespace

std::optional<Json> kept_grids(const KeptPage& kept, const std::vector<std::string>& terms) {
  Json grids = Json::array();
  try {
    for (const JsonValue& grid : JsonValue(kept.content, "landscapes.json").elements()) {
      grids.push_back(checked_grid(grid));
      if (!has_terms(grids.back(), terms)) return std::nullopt;
    }
  } catch (const InputError&) {
    return std::nullopt;
  }
  if (grids.empty()) return std::nullopt;
  return grids;
}

}  // namespace greybox
