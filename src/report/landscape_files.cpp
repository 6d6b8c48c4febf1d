// Landscapes as files: npz for programs, CSV for tables, pictures for people.
#include <fmt/format.h>

#include <algorithm>

#include "data/csv_writer.hpp"
#include "data/npz.hpp"
#include "greybox/landscape.hpp"
#include "report/landscape_picture.hpp"

namespace greybox {
namespace {

struct NamedValues {
  std::string name;
  const std::vector<double>* values;
};

// A regularizer that would share its name with another array is told apart by R.
std::vector<NamedValues> maps_of(const Landscape& landscape) {
  std::vector<NamedValues> maps;
  const auto is_taken = [&](const std::string& name) {
    return name == "rmse" || name == "nrmse" ||
           std::any_of(landscape.axes.begin(), landscape.axes.end(),
                       [&](const auto& axis) { return axis.name == name; });
  };
  for (const LandscapeMap& map : landscape.maps)
    maps.push_back({is_taken(map.name) ? "R." + map.name : map.name, &map.values});
  maps.push_back({"rmse", &landscape.rmse});
  maps.push_back({"nrmse", &landscape.nrmse});
  return maps;
}

void write_arrays(const Landscape& landscape, const std::filesystem::path& file) {
  std::vector<NamedArray> arrays;
  std::vector<std::size_t> shape;
  for (const LandscapeAxis& axis : landscape.axes) {
    shape.push_back(axis.values.size());
    arrays.emplace_back(axis.name, NpyArray{{axis.values.size()}, axis.values});
  }
  for (const NamedValues& map : maps_of(landscape))
    arrays.emplace_back(map.name, NpyArray{shape, *map.values});
  write_npz(file, arrays);
}

// One row per point of the grid.
void write_rows(const Landscape& landscape, const std::filesystem::path& file) {
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
  for (const NamedValues& map : maps_of(landscape))
    columns.push_back({map.name, std::span<const double>(*map.values)});
  write_csv(file, columns);
}

std::string stem_of(const Landscape& landscape, bool is_only) {
  std::string stem = "landscape";
  if (!is_only)
    for (const LandscapeAxis& axis : landscape.axes) stem += "-" + axis.name;
  return stem;
}

}  // namespace

std::vector<std::filesystem::path> write_landscapes(const std::vector<Landscape>& landscapes,
                                                    const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::vector<std::filesystem::path> files;
  for (const Landscape& landscape : landscapes) {
    const std::string stem = stem_of(landscape, landscapes.size() == 1);
    const auto file = [&](const char* ending) { return files.emplace_back(folder / (stem + ending)); };
    write_arrays(landscape, file(".npz"));
    write_rows(landscape, file(".csv"));
    const std::filesystem::path svg = file(".svg"), png = file(".png");
    draw_landscape(landscape, {svg, png});
  }
  return files;
}

}  // namespace greybox
