// Landscapes as files: npz for programs, CSV for tables, pictures for people.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/atomic_file.hpp"
#include "data/csv_writer.hpp"
#include "data/json_file.hpp"
#include "data/npz.hpp"
#include "greybox/error.hpp"
#include "greybox/landscape.hpp"
#include "report/landscape_picture.hpp"
#include "report/picture_style.hpp"
#include "report/retrained.hpp"

namespace greybox {
namespace {

struct NamedValues {
  std::string name;
  const std::vector<double>* values;
  const LandscapeBand* band;
};

std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const std::vector<double>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

const LandscapeBand kNoBand{};

// A regularizer that would share its name with another array is told apart by R.
std::vector<NamedValues> maps_of(const LandscapeGrid& landscape) {
  std::vector<NamedValues> maps;
  const auto is_taken = [&](const std::string& name) {
    return name == "rmse" || name == "nrmse" ||
           std::any_of(landscape.axes.begin(), landscape.axes.end(),
                       [&](const auto& axis) { return axis.name == name; });
  };
  for (const LandscapeMap& map : landscape.maps)
    maps.push_back({is_taken(map.name) ? "R." + map.name : map.name, &map.values, &map.band});
  for (const LandscapeMap& map : landscape.maps) {
    if (map.matched.empty()) continue;
    const std::string name = is_taken(map.name) ? "R." + map.name : map.name;
    maps.push_back({name + ".matched", &map.matched, &kNoBand});
    maps.push_back({name + ".low", &map.low, &kNoBand});
    maps.push_back({name + ".high", &map.high, &kNoBand});
  }
  maps.push_back({"rmse", &landscape.rmse, &landscape.rmse_band});
  maps.push_back({"nrmse", &landscape.nrmse, &landscape.nrmse_band});
  return maps;
}

// With the networks as the first axis.
void add_band(const NamedValues& map, const std::vector<std::size_t>& shape,
              std::vector<NamedArray>& arrays) {
  if (map.band->networks.empty()) return;
  arrays.emplace_back(map.name + ".sd", NpyArray{shape, map.band->spread});
  std::vector<std::size_t> with_networks = {map.band->networks.size()};
  with_networks.insert(with_networks.end(), shape.begin(), shape.end());
  arrays.emplace_back(map.name + ".networks", NpyArray{with_networks, joined(map.band->networks)});
}

void add_view(const LandscapeView& view, std::vector<NamedArray>& arrays) {
  if (view.kind.empty()) return;
  arrays.emplace_back("view.origin", NpyArray{{view.origin.size()}, view.origin});
  arrays.emplace_back("view.directions",
                      NpyArray{{view.directions.size(), view.origin.size()}, joined(view.directions)});
}

void write_arrays(const LandscapeGrid& landscape, const std::filesystem::path& file) {
  std::vector<NamedArray> arrays;
  std::vector<std::size_t> shape;
  for (const LandscapeAxis& axis : landscape.axes) {
    shape.push_back(axis.values.size());
    arrays.emplace_back(axis.name, NpyArray{{axis.values.size()}, axis.values});
  }
  for (const NamedValues& map : maps_of(landscape)) {
    arrays.emplace_back(map.name, NpyArray{shape, *map.values});
    add_band(map, shape, arrays);
  }
  const auto add_flags = [&](const char* name, const std::vector<std::uint8_t>& flags) {
    if (!flags.empty())
      arrays.emplace_back(name, NpyArray{shape, std::vector<std::int64_t>(flags.begin(), flags.end())});
  };
  add_flags("is_poor", landscape.is_poor);
  add_flags("is_excluded", landscape.is_excluded);
  if (landscape.seeds.size() > 1)
    arrays.emplace_back("seeds",
                        NpyArray{{landscape.seeds.size()},
                                 std::vector<std::int64_t>(landscape.seeds.begin(), landscape.seeds.end())});
  add_view(landscape.view, arrays);
  write_npz(file, arrays);
}

// One row per point of the grid.
void write_rows(const LandscapeGrid& landscape, const std::filesystem::path& file) {
  const std::size_t n = landscape.rmse.size();
  std::vector<std::vector<double>> coordinates(landscape.axes.size());
  for (std::size_t place = 0; place < n; ++place) {
    std::size_t rest = place;
    for (std::size_t k = landscape.axes.size(); k-- > 0;) {
      const std::vector<double>& values = landscape.axes[k].values;
      coordinates[k].push_back(values[rest % values.size()]);
      rest /= values.size();
    }
  }
  std::vector<CsvColumn> columns;
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    columns.push_back({landscape.axes[k].name, std::span<const double>(coordinates[k])});
  for (const NamedValues& map : maps_of(landscape)) {
    columns.push_back({map.name, std::span<const double>(*map.values)});
    if (!map.band->networks.empty())
      columns.push_back({map.name + ".sd", std::span<const double>(map.band->spread)});
    for (std::size_t k = 0; k < map.band->networks.size(); ++k)
      columns.push_back(
          {fmt::format("{}.network{}", map.name, k), std::span<const double>(map.band->networks[k])});
  }
  write_csv(file, columns);
}

std::string stem_of(const LandscapeGrid& landscape, bool is_only) {
  std::string stem = "landscape";
  if (!is_only)
    for (const LandscapeAxis& axis : landscape.axes) stem += "-" + axis.name;
  return stem;
}

std::vector<std::filesystem::path> write_into(const std::filesystem::path& folder,
                                              const std::vector<LandscapeGrid>& grids) {
  std::vector<std::filesystem::path> files;
  for (const LandscapeGrid& landscape : grids) {
    const std::string stem = stem_of(landscape, grids.size() == 1);
    const auto file = [&](const char* ending) { return files.emplace_back(folder / (stem + ending)); };
    write_arrays(landscape, file(".npz"));
    write_rows(landscape, file(".csv"));
    const std::filesystem::path svg = file(".svg"), png = file(".png");
    draw_landscape(landscape, {svg, png});
  }
  return files;
}

// What tells landscapes apart: everything but the values.
Json described(const Json& landscape) {
  Json json = Json::array();
  for (const Json& one : landscape.value("landscapes", Json::array())) {
    Json& grid = json.emplace_back(Json::object());
    for (const char* name : {"parameters", "held", "view", "split", "windows", "seeds"})
      if (one.contains(name)) grid[name] = one[name];
  }
  return json;
}

std::set<std::string> regularizers_in(const Json& landscape) {
  std::set<std::string> names;
  for (const Json& one : landscape.value("landscapes", Json::array()))
    if (one.contains("regularizers"))
      for (const auto& [name, content] : one["regularizers"].items()) names.insert(name);
  return names;
}

bool holds_other(const Landscape& landscape, const std::filesystem::path& folder) {
  Json there;
  try {
    const auto json = read_json_file(folder / "landscape.json");
    if (!json || !json->is_object()) return false;
    there = *json;
  } catch (const InputError&) {
    return false;
  }
  const Json here = Json::parse(to_json(landscape));
  const std::set<std::string> ours = regularizers_in(here), theirs = regularizers_in(there);
  return described(here) != described(there) ||
         !std::includes(ours.begin(), ours.end(), theirs.begin(), theirs.end());
}

}  // namespace

std::vector<std::filesystem::path> write_grids(const std::vector<LandscapeGrid>& grids,
                                               const std::filesystem::path& folder) {
  AtomicFolder together(folder);
  return together.commit(write_into(together.folder(), grids));
}

std::filesystem::path set_aside_other_landscape(const Landscape& landscape,
                                                const std::filesystem::path& folder) {
  if (!holds_other(landscape, folder)) return {};
  for (std::size_t number = 1;; ++number) {
    std::filesystem::path aside = folder;
    aside += fmt::format("-{}", number);
    if (std::filesystem::exists(aside)) continue;
    std::filesystem::rename(folder, aside);
    return aside;
  }
}

std::vector<std::filesystem::path> draw_pictures(const Landscape& landscape,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files;
  for (const LandscapeGrid& grid : landscape.grids) {
    std::vector<std::filesystem::path> pictures;
    for (const char* ending : {".svg", ".png", ".pdf"})
      pictures.push_back(folder / (stem_of(grid, landscape.grids.size() == 1) + ending));
    draw_landscape(grid, pictures, style);
    files.insert(files.end(), pictures.begin(), pictures.end());
  }
  if (landscape.retrained.empty()) return files;
  const std::vector<std::filesystem::path> retrained = picture_files(folder, "retrained", style);
  draw_retrained(landscape, retrained, style);
  files.insert(files.end(), retrained.begin(), retrained.end());
  return files;
}

std::vector<std::filesystem::path> write_landscape(const Landscape& landscape,
                                                   const std::filesystem::path& target,
                                                   const Verdicts* verdicts) {
  AtomicFolder together(target);
  const std::filesystem::path& folder = together.folder();
  std::vector<std::filesystem::path> files = write_into(folder, landscape.grids);
  write_file_atomically(files.emplace_back(folder / "landscape.json"), to_json(landscape, verdicts) + '\n');
  if (landscape.retrained.empty()) return together.commit(files);
  write_retrained(landscape.retrained, files.emplace_back(folder / "retrained.csv"));
  const std::filesystem::path svg = folder / "retrained.svg", png = folder / "retrained.png";
  draw_retrained(landscape, {svg, png});
  files.insert(files.end(), {svg, png});
  return together.commit(files);
}

}  // namespace greybox
