// Published files into tables.
#include "data/converters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/checksum.hpp"
#include "data/mistakes.hpp"
#include "data/npz.hpp"
#include "data/windows.hpp"

namespace greybox {
namespace {

constexpr std::array kPendulumSources = {
    DataSource{"expert_pendulum.npz", "c9dd7e77bafc9bd6413474b62237e3b69f39acf27dfced19c0a182d1e537bd6b"},
};
constexpr std::array kPredatorPreySources = {
    DataSource{"C1.csv", "93c7a7ad0833e5195b75050baa8f655fb73222008d322488efdcae0f41662a5e"},
    DataSource{"C2.csv", "c27dcbef59b2033e2d87cc4ee1abc00fbddc6eff22d7d5aaa621f97d16c16494"},
    DataSource{"C3.csv", "735c9237fcdff40711f85324260ac8f1b2cba3cf6dac7d50c23d968ee709bc59"},
    DataSource{"C4.csv", "f3b8d8035a9bf8313a85def163cecce7106023b764d90499305cd64ab5673cd5"},
    DataSource{"C5.csv", "136431bf3ef6081af7232938ebcfd84384f0fadbdb5fc770d3bd6b376665943c"},
    DataSource{"C6.csv", "222a6961391876d0d07803b88220565ed064fd393e14b395d159aa8f5145aed7"},
    DataSource{"C7.csv", "07c8ef4f1f075b05d2c8fa28e9b1602ea8302694749a5f14a45118f9c6de3f44"},
    DataSource{"C8.csv", "3bd7afd6b42791ae20b8f94625d45bbcb38e87294dff6448c6b3ac794755888e"},
    DataSource{"C9.csv", "d6fedb478990f83a9e433b8a172f0dfc8a97956e3daa5833dca0bc6e27e5b943"},
    DataSource{"C10.csv", "1a1fe04e70e2fb5367d47cb5e1d0176b3654b84d558adaf2bde734c5c923b4b9"},
};

constexpr std::size_t kEpisodeSteps = 100;
constexpr double kStepsPerSecond = 20;
constexpr const char* kDownloadAgain = "download the published file again";

const NpyArray& find_array(const std::vector<NamedArray>& arrays, std::string_view name,
                           const std::string& file) {
  for (const auto& [known, array] : arrays) {
    if (known == name) return array;
  }
  Place{file, fmt::format("array {}", in_backquotes(name))}.refuse("the array is missing", kDownloadAgain);
}

// The rows at which episodes start, and the number of rows at the end.
std::vector<std::size_t> episode_bounds(const NpyArray& starts, const std::string& file) {
  std::vector<std::size_t> bounds;
  const std::vector<double> flags = starts.to_doubles();
  for (std::size_t row = 0; row < flags.size(); ++row) {
    if (flags[row] != 0) bounds.push_back(row);
  }
  bounds.push_back(flags.size());
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    if (bounds[i + 1] - bounds[i] >= kEpisodeSteps) continue;
    Place{file, fmt::format("array `episode_starts`, episode {}", i)}.refuse(
        fmt::format("an episode of {} steps; {} are needed", bounds[i + 1] - bounds[i], kEpisodeSteps),
        kDownloadAgain);
  }
  return bounds;
}

const Column& find_column(const DataTable& table, std::string_view start) {
  for (const Column& column : table.columns) {
    if (column.name.starts_with(start)) return column;
  }
  Place{table.file, "header"}.refuse(fmt::format("no column that starts with {}", in_backquotes(start)),
                                     kDownloadAgain);
}

// Values of `column` at whole days within the table's time, times `scale`.
std::vector<double> at_whole_days(const DataTable& table, const Column& column, double scale) {
  std::vector<double> values;
  std::size_t right = 1;
  for (double day = std::ceil(table.time.front()); day <= table.time.back(); ++day) {
    while (table.time[right] < day) ++right;
    const double share = (day - table.time[right - 1]) / (table.time[right] - table.time[right - 1]);
    values.push_back(scale * ((1 - share) * column.at(right - 1) + share * column.at(right)));
  }
  return values;
}

void append(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

}  // namespace

std::span<const DataSource> pendulum_sources() {
  return kPendulumSources;
}
std::span<const DataSource> predator_prey_sources() {
  return kPredatorPreySources;
}

void check_sources(const std::filesystem::path& folder, std::span<const DataSource> sources) {
  Mistakes mistakes;
  for (const DataSource& source : sources) {
    const std::filesystem::path file = folder / source.name;
    const Place place{file.string(), ""};
    if (!std::filesystem::is_regular_file(file)) {
      mistakes.add(place, "there is no such file", "download the published file into this folder");
    } else if (sha256_of_file(file) != source.sha256) {
      mistakes.add(place, "not the published file: its SHA-256 is another", kDownloadAgain);
    }
  }
  mistakes.throw_if_any();
}

DataTable convert_pendulum(const std::filesystem::path& npz) {
  const std::vector<NamedArray> arrays = read_npz(npz);
  const NpyArray& observations = find_array(arrays, "obs", npz.string());
  const NpyArray& starts = find_array(arrays, "episode_starts", npz.string());
  if (observations.shape.size() != 2 || observations.shape[1] != 3 ||
      starts.size() != observations.shape[0]) {
    Place{npz.string(), "array `obs`"}.refuse("the shape is not (steps × 3)", kDownloadAgain);
  }
  const std::vector<std::size_t> bounds = episode_bounds(starts, npz.string());
  const std::vector<double> values = observations.to_doubles();
  DataTable table{.file = npz.string(), .columns = {}, .time = {}, .series = {}, .lines = {}};
  std::array<std::vector<double>, 3> kept;
  for (std::size_t episode = 0; episode + 1 < bounds.size(); ++episode) {
    table.series.push_back({fmt::format("{}", episode), episode * kEpisodeSteps, kEpisodeSteps});
    for (std::size_t step = 0; step < kEpisodeSteps; ++step) {
      table.time.push_back(static_cast<double>(step) / kStepsPerSecond);
      for (std::size_t i = 0; i < 3; ++i) kept[i].push_back(values[(bounds[episode] + step) * 3 + i]);
    }
  }
  table.lines.assign(table.time.size(), 0);
  constexpr std::array kNames = {"cos_angle", "sin_angle", "velocity"};
  for (std::size_t i = 0; i < 3; ++i)
    table.columns.push_back({.name = kNames[i], .values = std::move(kept[i])});
  return table;
}

DataTable convert_predator_prey(const std::filesystem::path& folder) {
  std::vector<double> prey, predator;
  DataTable table{.file = folder.string(), .columns = {}, .time = {}, .series = {}, .lines = {}};
  for (const DataSource& source : predator_prey_sources()) {
    DataTable raw = read_table(folder / source.name, {.time_column = "time (days)"});
    const Column& algae = find_column(raw, "algae");
    const Column& rotifers = find_column(raw, "rotifers");
    treat_missing(raw, Missing::drop, {algae.name, rotifers.name});
    if (raw.n_rows() < 2) Place{raw.file, ""}.refuse("fewer than two rows have values", kDownloadAgain);
    append(prey, at_whole_days(raw, algae, 0.5));
    append(predator, at_whole_days(raw, rotifers, 0.02));
    const std::string name = std::filesystem::path(source.name).stem().string();
    table.series.push_back({name, table.time.size(), prey.size() - table.time.size()});
    for (double day = std::ceil(raw.time.front()); day <= raw.time.back(); ++day) table.time.push_back(day);
  }
  table.lines.assign(table.time.size(), 0);
  table.columns = {{.name = "prey", .values = std::move(prey)},
                   {.name = "predator", .values = std::move(predator)}};
  return table;
}

}  // namespace greybox
