// A single window, as the user names it.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "analysis/run/window_choice.hpp"
#include "core/nearest_name.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || stop != text.data() + text.size()) return {};
  return value;
}

std::uint32_t series_named(const Table& table, const std::string& name) {
  std::vector<std::string> names;
  for (std::uint32_t s = 0; s < table.series.size(); ++s)
    if (names.emplace_back(table.series[s].name) == name) return s;
  const auto near = nearest_name(name, names);
  refuse("--window", fmt::format("the data have no series `{}`", name),
         near ? fmt::format("did you mean `{}`?", *near) : fmt::format("the first is `{}`", names.front()));
}

// Times are read as decimal numbers and may differ from the data's in their last digits.
std::size_t window_at(const Dataset& data, std::uint32_t series, double time) {
  constexpr double tolerance = 1e-9;
  const Table& table = data.table();
  std::optional<double> nearest;
  for (std::size_t w = 0; w < data.windows().windows.size(); ++w) {
    const Window& window = data.windows().windows[w];
    if (window.series != series) continue;
    const double start = table.time[window.first_row];
    if (std::abs(start - time) <= tolerance * std::max(1.0, std::abs(time))) return w;
    if (!nearest || std::abs(start - time) < std::abs(*nearest - time)) nearest = start;
  }
  const std::string& name = table.series[series].name;
  refuse("--window", fmt::format("no window of series `{}` starts at time {}", name, time),
         nearest ? fmt::format("the nearest one starts at {}", *nearest)
                 : "the series has no windows: it is too short, or they were dropped");
}

std::size_t place_of(const Dataset& data, const std::string& window) {
  const std::size_t n = data.windows().windows.size();
  if (const auto number = parsed<std::size_t>(window)) {
    if (*number < n) return *number;
    refuse("--window", fmt::format("there is no window {}", *number),
           fmt::format("they are counted from 0 to {}", n - 1));
  }
  const std::size_t colon = window.rfind(':');
  const auto time =
      colon == std::string::npos ? std::nullopt : parsed<double>(std::string_view(window).substr(colon + 1));
  if (!time)
    refuse("--window", fmt::format("`{}` names no window", window),
           "give its number, counted from 0, or SERIES:TIME, where it starts");
  return window_at(data, series_named(data.table(), window.substr(0, colon)), *time);
}

}  // namespace

WindowChoice choose_window(const OpenedRun& run, const std::string& window) {
  const Dataset& data = *run.loaded.data;
  const std::size_t place = place_of(data, window);
  const Window& chosen = data.windows().windows[place];
  WindowChoice choice{split_of_window(run, place), {place}};
  choice.description =
      fmt::format("window {} of {}, series {} from time {:.6g}", place, choice.name,
                  data.table().series[chosen.series].name, data.table().time[chosen.first_row]);
  return choice;
}

}  // namespace greybox
