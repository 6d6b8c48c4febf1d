#include "analysis/run/window_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/run/input_points.hpp"
#include "core/nearest_name.hpp"
#include "core/random.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr const char* kAll = "all";
// Keeps these draws apart from others of analyses.
constexpr std::uint64_t kWindowDraws = 0x77696E64;
constexpr Split kSplits[] = {Split::train, Split::validation, Split::test};

// The names of single splits in the name of a choice; a file stands for itself.
std::set<std::string> parts_of(const std::string& name) {
  std::set<std::string> parts;
  if (name == kAll) {
    for (Split split : kSplits) parts.insert(to_string(split));
    return parts;
  }
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('+', begin), name.size());
    parts.insert(name.substr(begin, end - begin));
    begin = end + 1;
  }
  const auto is_split = [](const std::string& part) {
    return std::any_of(std::begin(kSplits), std::end(kSplits),
                       [&](Split split) { return part == to_string(split); });
  };
  return std::all_of(parts.begin(), parts.end(), is_split) ? parts : std::set<std::string>{name};
}

std::string name_of_data(const PreparedData& data) {
  if (!data.table().is_file) return data.table().file;
  return std::filesystem::absolute(data.table().file).lexically_normal().string();
}

std::vector<std::size_t> windows_of(const PreparedData& data, const Splits& splits) {
  if (splits.parts.empty()) return data.all();
  std::set<std::size_t> windows;
  for (Split split : splits.parts) {
    const std::vector<std::size_t> more = data.of_split(split);
    windows.insert(more.begin(), more.end());
  }
  if (windows.empty())
    refuse_option("on", fmt::format("there are no windows in `{}`", to_string(splits)),
                  fmt::format("the data have {} train, {} validation and {} test windows",
                              data.of_split(Split::train).size(), data.of_split(Split::validation).size(),
                              data.of_split(Split::test).size()));
  return {windows.begin(), windows.end()};
}

Splits default_splits(const OpenedRun& run, std::initializer_list<Split> preferred) {
  if (run.has_own_data)
    for (Split split : preferred)
      if (!run.loaded.data->of_split(split).empty()) return {{split}};
  return {};
}

std::uint32_t series_named(const DataTable& table, const std::string& name) {
  std::vector<std::string> names;
  for (std::uint32_t s = 0; s < table.series.size(); ++s)
    if (names.emplace_back(table.series[s].name) == name) return s;
  const auto near = nearest_name(name, names);
  refuse_option(
      "on", fmt::format("the data have no series `{}`", name),
      near ? fmt::format("did you mean `{}`?", *near) : fmt::format("the first is `{}`", names.front()));
}

// Times are read as decimal numbers and may differ from the data's in their last digits.
std::size_t find_window(const PreparedData& data, const WindowAt& wanted) {
  constexpr double tolerance = 1e-9;
  const DataTable& table = data.table();
  const std::uint32_t series = series_named(table, wanted.series);
  std::optional<double> nearest;
  for (std::size_t w = 0; w < data.windows().windows.size(); ++w) {
    const Window& window = data.windows().windows[w];
    if (window.series != series) continue;
    const double start = table.time[window.first_row];
    if (std::abs(start - wanted.time) <= tolerance * std::max(1.0, std::abs(wanted.time))) return w;
    if (!nearest || std::abs(start - wanted.time) < std::abs(*nearest - wanted.time)) nearest = start;
  }
  refuse_option("on", fmt::format("no window of series `{}` starts at time {}", wanted.series, wanted.time),
                nearest ? fmt::format("the nearest one starts at {}", *nearest)
                        : "the series has no windows: it is too short, or they were dropped");
}

std::size_t find_window(const PreparedData& data, const WindowIndex& wanted) {
  const std::size_t n = data.windows().windows.size();
  if (wanted.index < n) return wanted.index;
  refuse_option("on", fmt::format("there is no window {}", wanted.index),
                fmt::format("they are counted from 0 to {}", n - 1));
}

WindowChoice one_window(const OpenedRun& run, std::size_t index) {
  const PreparedData& data = *run.loaded.data;
  const Window& chosen = data.windows().windows[index];
  WindowChoice choice{split_of_window(run, index), {index}};
  choice.description =
      fmt::format("window {} of {}, series {} from time {:.6g}", index, choice.name,
                  data.table().series[chosen.series].name, data.table().time[chosen.first_row]);
  return choice;
}

WindowChoice choose_windows(const OpenedRun& run, const Target& target,
                            std::initializer_list<Split> preferred) {
  const PreparedData& data = *run.loaded.data;
  if (const auto* index = std::get_if<WindowIndex>(&target.on))
    return one_window(run, find_window(data, *index));
  if (const auto* at = std::get_if<WindowAt>(&target.on)) return one_window(run, find_window(data, *at));
  const auto* given = std::get_if<Splits>(&target.on);
  const Splits splits = given != nullptr ? *given : default_splits(run, preferred);
  WindowChoice choice{to_string(splits),
                      stratified_draw(windows_of(data, splits), target.n_windows, target.seed)};
  if (!run.has_own_data) choice.name = name_of_data(data);
  return choice;
}

}  // namespace

std::string to_string(const Splits& splits) {
  std::string text;
  for (Split split : splits.parts) {
    if (!text.empty()) text += '+';
    text += to_string(split);
  }
  return text.empty() ? kAll : text;
}

std::vector<std::size_t> stratified_draw(const std::vector<std::size_t>& windows, std::size_t n,
                                         std::uint64_t seed) {
  if (n == 0 || n >= windows.size()) return windows;
  const Random random(seed, Purpose::analysis);
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = i * windows.size() / n, end = (i + 1) * windows.size() / n;
    drawn.push_back(windows[begin + random.below(end - begin, kWindowDraws, i)]);
  }
  return drawn;
}

OpenedTarget open_target(const Run& handle, const Target& target,
                         const std::vector<std::string>& regularizers,
                         std::initializer_list<Split> preferred) {
  if (const auto* points = std::get_if<Points>(&target.on)) {
    if (target.data) refuse_option("data", "grid points take the place of data", "leave out option `data`");
    OpenedRun run = open_run(
        handle, {table_of_points(handle.model().spec(), *points), regularizers, target.regularizer_option});
    WindowChoice choice{to_string(*points), run.loaded.data->all()};
    return {std::move(run), std::move(choice), false};
  }
  OpenedRun run = open_run(
      handle, {target.data ? target.data->data() : nullptr, regularizers, target.regularizer_option});
  WindowChoice choice = choose_windows(run, target, preferred);
  return {std::move(run), std::move(choice)};
}

std::string split_of_window(const OpenedRun& run, std::size_t window) {
  const PreparedData& data = *run.loaded.data;
  if (!run.has_own_data) return name_of_data(data);
  for (Split split : kSplits) {
    const std::vector<std::size_t> windows = data.of_split(split);
    if (std::binary_search(windows.begin(), windows.end(), window)) return to_string(split);
  }
  return kAll;
}

bool share_windows(const std::string& first, const std::string& second) {
  const std::set<std::string> of_first = parts_of(first), of_second = parts_of(second);
  return std::any_of(of_first.begin(), of_first.end(),
                     [&](const std::string& part) { return of_second.contains(part); });
}

}  // namespace greybox
