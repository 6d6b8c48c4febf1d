// Simulations as files: CSV and npz for programs, pictures for people.
#include <cmath>

#include "data/csv_writer.hpp"
#include "data/json_file.hpp"
#include "data/npz.hpp"
#include "report/picture_style.hpp"
#include "report/simulation_picture.hpp"

namespace greybox {
namespace {

// Calls f(name, values) for every variable and the ends of its band.
template <class F>
void for_columns(const SimulatedVariable& variable, F&& f) {
  f(variable.name, variable.values);
  if (variable.low.empty()) return;
  f(variable.name + ".low", variable.low);
  f(variable.name + ".high", variable.high);
}

void write_simulated_rows(const Simulation& simulation, const std::filesystem::path& file) {
  std::vector<CsvColumn> columns = {{"time", std::span<const double>(simulation.time)}};
  for (const SimulatedVariable& variable : simulation.variables)
    if (variable.height * variable.width == 1)
      for_columns(variable, [&](const std::string& name, const std::vector<double>& values) {
        columns.push_back({name, std::span<const double>(values)});
      });
  write_csv(file, columns);
}

void write_simulated_arrays(const Simulation& simulation, const std::filesystem::path& file) {
  std::vector<NamedArray> arrays = {{"time", NpyArray{{simulation.time.size()}, simulation.time}}};
  for (const SimulatedVariable& variable : simulation.variables) {
    std::vector<std::size_t> shape = {simulation.time.size()};
    if (variable.height > 1) shape.push_back(variable.height);
    if (variable.height * variable.width > 1) shape.push_back(variable.width);
    for_columns(variable, [&](const std::string& name, const std::vector<double>& values) {
      arrays.emplace_back(name, NpyArray{shape, values});
    });
  }
  for (const auto& [name, value] : simulation.theta)
    arrays.emplace_back("theta." + name, NpyArray{{}, std::vector<double>{value}});
  write_npz(file, arrays);
}

}  // namespace

std::vector<std::filesystem::path> write_simulation(const Simulation& simulation,
                                                    const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::vector<std::filesystem::path> files = {folder / "simulation.csv", folder / "simulation.npz",
                                                    folder / "simulation.svg", folder / "simulation.png"};
  write_simulated_rows(simulation, files[0]);
  write_simulated_arrays(simulation, files[1]);
  draw_simulation(simulation, {files[2], files[3]});
  return files;
}

std::string to_json(const Simulation& simulation) {
  Json json{{"model", simulation.model},     {"start", simulation.time.front()},
            {"end", simulation.time.back()}, {"times", simulation.time.size()},
            {"theta", simulation.theta},     {"networks", simulation.n_networks},
            {"draws", simulation.n_draws}};
  for (const SimulatedVariable& variable : simulation.variables)
    if (variable.height * variable.width == 1) json["last"][variable.name] = variable.values.back();
  if (!std::isnan(simulation.level)) {
    json["level"] = simulation.level;
    json["noise_on"] = simulation.noise_on;
    json["checked_on"] = simulation.checked_on;
    json["checked_windows"] = simulation.n_checked_windows;
  }
  for (const BandCheck& check : simulation.checks)
    json["bands"][check.name] = {{"noise", check.noise},
                                 {"factor", check.factor},
                                 {"coverage", check.coverage},
                                 {"values", check.n_values},
                                 {"mean_width", check.mean_width}};
  json["warnings"] = simulation.warnings;
  return json.dump();
}

std::vector<std::filesystem::path> draw_pictures(const Simulation& simulation,
                                                 const std::filesystem::path& folder,
                                                 const PictureStyle& style) {
  std::vector<std::filesystem::path> files = picture_files(folder, "simulation", style);
  draw_simulation(simulation, files, style);
  return files;
}

}  // namespace greybox
