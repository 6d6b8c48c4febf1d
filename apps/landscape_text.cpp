#include "landscape_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <greybox/counted.hpp>
#include <map>

#include "output_text.hpp"
#include "terminal.hpp"
#include "verdict_text.hpp"

namespace greybox::apps {
namespace {

template <class... Values>
void print_line(fmt::format_string<const Values&...> text, const Values&... values) {
  fmt::print("{}", prose(fmt::vformat(fmt::string_view(text), fmt::make_format_args(values...))));
}

// What belongs to the line above.
template <class... Values>
void print_below(fmt::format_string<const Values&...> text, const Values&... values) {
  fmt::print("{}", prose(fmt::vformat(fmt::string_view(text), fmt::make_format_args(values...)), 2));
}

// Of the parameters that a grid varies, in the order of the axes or of the model file.
std::vector<std::string> varied_by(const LandscapeGrid& grid) {
  if (!grid.view.parameters.empty()) return grid.view.parameters;
  std::vector<std::string> names;
  for (const LandscapeAxis& axis : grid.axes) names.push_back(axis.name);
  return names;
}

std::string place_text(const LandscapeMinimum& minimum, const LandscapeGrid& grid) {
  std::string text;
  for (const std::string& name : varied_by(grid))
    if (const auto found = minimum.parameters.find(name); found != minimum.parameters.end())
      text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", name, found->second);
  return text;
}

std::string value_text(const LandscapeMinimum& minimum) {
  return minimum.spread > 0 ? fmt::format("{:.6g} ± {:.2g}", minimum.value, minimum.spread)
                            : fmt::format("{:.6g}", minimum.value);
}

void print_where(const LandscapeGrid& grid) {
  std::string over;
  for (const LandscapeAxis& axis : grid.axes)
    over += fmt::format("{}{} in [{:.6g}, {:.6g}]", over.empty() ? "" : ", ", axis.name, axis.values.front(),
                        axis.values.back());
  for (const std::string& name : grid.held_names)
    over += fmt::format(", {} = {:.6g}", name, grid.held.at(name));
  if (grid.seeds.size() > 1) over += fmt::format("; mean of {} networks", grid.seeds.size());
  print_line("{} ({}); {}", grid.split, counted(grid.n_windows, "window"), over);
  if (grid.interpolation_error > 0)
    print_line("{} of {} θ computed, the others interpolated (error below {:.2g} % of the range of R)",
               grid.n_computed, grid.rmse.size(), 100 * grid.interpolation_error);
  for (std::size_t k = 0; k < grid.view.directions.size(); ++k)
    print_line("{} is {}, in half ranges of the priors", grid.axes[k].name, grid.axes[k].about);
}

// Where the networks have their lowest points, from the smallest to the largest value of each parameter.
void print_networks(const LandscapeMap& map, const LandscapeGrid& grid) {
  std::map<std::string, std::pair<double, double>> ranges;
  for (const std::vector<LandscapeMinimum>& minima : map.network_minima)
    if (!minima.empty())
      for (const auto& [name, value] : minima[0].parameters) {
        auto& [low, high] = ranges.try_emplace(name, value, value).first->second;
        low = std::min(low, value);
        high = std::max(high, value);
      }
  std::string text;
  for (const std::string& name : varied_by(grid))
    if (const auto found = ranges.find(name); found != ranges.end())
      text += fmt::format("{}{} from {:.6g} to {:.6g}", text.empty() ? "" : ", ", name, found->second.first,
                          found->second.second);
  if (!text.empty()) print_below("lowest points of single networks: {}", text);
}

void print_outputs(const LandscapeMap& map) {
  std::string text;
  for (const OutputError& output : map.outputs)
    text += fmt::format("{}{}", text.empty() ? "" : "; ", output_text(output));
  print_below("there {}", text);
}

void print(const LandscapeGrid& grid, bool fits) {
  print_where(grid);
  for (const LandscapeMap& map : grid.maps) {
    std::string text;
    for (const LandscapeMinimum& minimum : map.minima)
      text +=
          fmt::format("{} {} at {}{}", text.empty() ? " lowest" : ";", value_text(minimum),
                      place_text(minimum, grid), minimum.is_cut_off ? " (cut off by θ that do not fit)" : "");
    if (!fits && !text.empty()) text += " (of a run that does not fit its data: do not interpret)";
    print_line("R {}:{}", map.name, text.empty() ? " no finite value at a θ that fits the data" : text);
    if (map.unconstrained)
      print_below("without regard to fit: {} at {}", value_text(*map.unconstrained),
                  place_text(*map.unconstrained, grid));
    print_networks(map, grid);
    if (map.outputs.size() > 1) print_outputs(map);
  }
  print_line("{}", grid.adaptivity);
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

void print_retrained(const Landscape& landscape) {
  fmt::print("\nAgainst networks retrained at fixed θ\n{:<28} {:<16} {:>10} {:>10} {:>10}  {}\n", "θ", "R",
             "adaptive", "± sd", "retrained", "within the band");
  for (const RetrainedPoint& point : landscape.retrained) print(point);
  const bool has_bands = landscape.grids[0].seeds.size() > 1;
  for (const RetrainedSummary& summary : landscape.retrained_summary)
    print_line(
        "{}: median difference {:.2g} % of the range, rank correlation {:.3f}{}", summary.regularizer,
        100 * summary.median_difference, summary.rank_correlation,
        has_bands ? fmt::format(", {} of {} within the band", summary.n_within, summary.n_points) : "");
}

bool is_matched(const Landscape& landscape) {
  const auto has_it = [](const LandscapeMap& map) { return !map.matched.empty(); };
  return std::ranges::any_of(
      landscape.grids, [&](const LandscapeGrid& grid) { return std::ranges::any_of(grid.maps, has_it); });
}

bool is_any_judged(const Verdicts& verdicts) {
  return std::ranges::any_of(verdicts.verdicts,
                             [](const Verdict& verdict) { return verdict.finding != Finding::not_judged; });
}

}  // namespace

void print_landscape(const Landscape& landscape, const Verdicts* verdicts, bool fits) {
  for (const LandscapeGrid& grid : landscape.grids) print(grid, fits);
  if (!landscape.retrained.empty()) print_retrained(landscape);
  if (verdicts == nullptr || verdicts->verdicts.empty()) return;
  fmt::print("\nWhat can be trusted\n");
  print_verdicts(*verdicts);
  if (is_matched(landscape) && is_any_judged(*verdicts))
    print_line(
        "Why these values are not the lowest points above: those are of the networks as they are, at points "
        "of "
        "the grid; verdicts rest on the correction that the data ask for. An estimate is a third value where "
        "it "
        "is made on other windows, by default those of test.");
}

}  // namespace greybox::apps
