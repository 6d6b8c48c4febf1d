#include "landscape_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace greybox::apps {
namespace {

std::string place_text(const Landscape& landscape, const LandscapeMinimum& minimum) {
  std::string text;
  for (std::size_t k = 0; k < landscape.axes.size(); ++k)
    text += fmt::format("{}{} = {:.6g}", k == 0 ? "" : ", ", landscape.axes[k].name, minimum.theta[k]);
  return text;
}

std::string value_text(const LandscapeMinimum& minimum) {
  return minimum.spread > 0 ? fmt::format("{:.6g} ± {:.2g}", minimum.value, minimum.spread)
                            : fmt::format("{:.6g}", minimum.value);
}

void print_where(const Landscape& landscape) {
  std::string over;
  for (const LandscapeAxis& axis : landscape.axes)
    over += fmt::format("{}{} in [{:.6g}, {:.6g}]", over.empty() ? "" : ", ", axis.name, axis.values.front(),
                        axis.values.back());
  for (const auto& [name, value] : landscape.held) over += fmt::format(", {} = {:.6g}", name, value);
  if (landscape.seeds.size() > 1) over += fmt::format("; mean of {} networks", landscape.seeds.size());
  fmt::print("{} windows of {}; {}\n", landscape.n_windows, landscape.split, over);
  for (std::size_t k = 0; k < landscape.view.directions.size(); ++k)
    fmt::print("{} is {}, in half ranges of the priors\n", landscape.axes[k].name, landscape.axes[k].about);
}

// Where the networks have their lowest points, from the smallest to the largest value of each parameter.
void print_networks(const Landscape& landscape, const LandscapeMap& map) {
  if (map.network_minima.empty()) return;
  fmt::print("  the networks' own lowest points:");
  for (std::size_t k = 0; k < landscape.axes.size(); ++k) {
    double low = std::nan(""), high = low;
    for (const std::vector<LandscapeMinimum>& minima : map.network_minima)
      if (!minima.empty()) {
        low = std::fmin(low, minima[0].theta[k]);
        high = std::fmax(high, minima[0].theta[k]);
      }
    fmt::print("{} {} from {:.6g} to {:.6g}", k == 0 ? "" : ",", landscape.axes[k].name, low, high);
  }
  fmt::print("\n");
}

void print(const Landscape& landscape) {
  print_where(landscape);
  for (const LandscapeMap& map : landscape.maps) {
    fmt::print("R {}:", map.name);
    if (map.minima.empty()) fmt::print(" no finite value");
    for (std::size_t k = 0; k < map.minima.size(); ++k)
      fmt::print("{} {} at {}", k == 0 ? " lowest" : ";", value_text(map.minima[k]),
                 place_text(landscape, map.minima[k]));
    fmt::print("\n");
    print_networks(landscape, map);
  }
  fmt::print("{}\n", landscape.adaptivity);
}

void print(const RetrainedPoint& point) {
  std::string theta;
  for (const auto& [name, value] : point.theta)
    theta += fmt::format("{}{} = {:.4g}", theta.empty() ? "" : ", ", name, value);
  for (const RetrainedValue& value : point.values) {
    const bool has_band = !std::isnan(value.band);
    fmt::print("{:<28} {:<16} {:>10.4g} {:>10.2g} {:>10.4g}  {}\n", theta, value.regularizer, value.adaptive,
               value.spread, value.retrained,
               !has_band         ? ""
               : value.is_within ? "yes"
                                 : "no");
  }
}

void print(const std::vector<RetrainedPoint>& points) {
  if (points.empty()) return;
  fmt::print("\nAgainst networks retrained at fixed θ\n{:<28} {:<16} {:>10} {:>10} {:>10}  {}\n", "θ", "R",
             "adaptive", "± sd", "retrained", "within the band");
  for (const RetrainedPoint& point : points) print(point);
}

}  // namespace

void print_landscapes(const LandscapeReport& report) {
  for (const Landscape& landscape : report.landscapes) print(landscape);
  print(report.retrained);
}

}  // namespace greybox::apps
