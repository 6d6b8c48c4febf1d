#include "report/simulation_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "greybox/counted.hpp"
#include "report/picture_style.hpp"
#include "report/space_time_picture.hpp"
#include "report/stacked_rows.hpp"

namespace greybox {
namespace {

constexpr double kSimulationWidth = 820, kSimulationLeast = 300, kSimulationRight = 24,
                 kSimulationRowHeight = 96, kSimulationFooter = 50;
constexpr Colour kSimulationGrid{0.92, 0.92, 0.93}, kSimulationLine{0, 0.447, 0.698},
    kSimulationBand{0.78, 0.88, 0.95}, kTheoryLine{0, 0.62, 0.451}, kNetworkLine{0.835, 0.369, 0};

// Lines that share a row: a variable, or theory and network part of a state.
struct SimulationRow {
  std::string title;
  std::vector<std::pair<const SimulatedVariable*, Colour>> lines;
  const MeasuredPoints* measured = nullptr;
};

const SimulatedVariable* find(const Simulation& simulation, const std::string& name) {
  for (const SimulatedVariable& one : simulation.variables)
    if (one.name == name && one.height * one.width == 1) return &one;
  return nullptr;
}

std::vector<SimulationRow> rows_of(const Simulation& simulation) {
  std::vector<SimulationRow> rows;
  for (const SimulatedVariable& one : simulation.variables) {
    const bool is_part = one.name.starts_with("network.");
    if (one.height == 1 && one.width > 1 && !one.name.starts_with("theory.") &&
        !one.name.starts_with("state."))
      rows.push_back({one.name, {{&one, kSimulationLine}}});
    if (one.height * one.width > 1 || is_part) continue;
    if (one.name.starts_with("theory.")) {
      const std::string state = one.name.substr(7);
      rows.push_back({"d " + state + " / dt", {{&one, kTheoryLine}}});
      if (const SimulatedVariable* network = find(simulation, "network." + state))
        rows.back().lines.emplace_back(network, kNetworkLine);
      continue;
    }
    // A state that is observed as it is would be drawn twice.
    if (one.name.starts_with("state.")) {
      const SimulatedVariable* observed = find(simulation, one.name.substr(6));
      if (observed != nullptr && observed->values == one.values) continue;
    }
    rows.push_back({one.name, {{&one, kSimulationLine}}});
    for (const MeasuredPoints& points : simulation.measured)
      if (points.name == one.name) rows.back().measured = &points;
  }
  return rows;
}

Scale upward_scale(const SimulationRow& row, const Rectangle& plot) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto include = [&](const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  };
  for (const auto& [variable, colour] : row.lines) {
    include(variable->values);
    include(variable->low);
    include(variable->high);
  }
  if (row.measured != nullptr) include(row.measured->values);
  if (!(high >= low)) return {0, 1, plot.bottom(), plot.y};
  const double margin = high > low ? 0.08 * (high - low) : std::max(0.1 * std::abs(high), 1e-9);
  return {low - margin, high + margin, plot.bottom(), plot.y};
}

// Calls f(first, end) for each run of places at which `is_there`.
template <class Test, class F>
void for_finite_pieces(std::size_t n, Test&& is_there, F&& f) {
  for (std::size_t i = 0; i < n;) {
    while (i < n && !is_there(i)) ++i;
    const std::size_t first = i;
    while (i < n && is_there(i)) ++i;
    if (i > first) f(first, i);
  }
}

void draw_variable(Canvas& canvas, const std::vector<double>& time, const SimulatedVariable& variable,
                   const Colour& colour, const Scale& across, const Scale& up) {
  if (!variable.low.empty())
    for_finite_pieces(
        time.size(), [&](std::size_t i) { return std::isfinite(variable.high[i] - variable.low[i]); },
        [&](std::size_t first, std::size_t end) {
          std::vector<Point> corners;
          for (std::size_t i = first; i < end; ++i)
            corners.push_back({across(time[i]), up(variable.high[i])});
          for (std::size_t i = end; i-- > first;) corners.push_back({across(time[i]), up(variable.low[i])});
          canvas.area(corners, kSimulationBand);
        });
  for_finite_pieces(
      time.size(), [&](std::size_t i) { return std::isfinite(variable.values[i]); },
      [&](std::size_t first, std::size_t end) {
        std::vector<Point> points;
        for (std::size_t i = first; i < end; ++i) points.push_back({across(time[i]), up(variable.values[i])});
        canvas.line(points, colour, 1.6);
      });
}

// A field on a line: its points upward, and what the ends of the colours stand for.
void draw_field_row(Canvas& canvas, const SimulationRow& row, const Rectangle& plot) {
  const SimulatedVariable& field = *row.lines.front().first;
  const auto [low, high] = draw_space_time(canvas, plot, field.values, field.width);
  canvas.frame(plot, kInk, 0.8);
  const TextStyle style{.size = kTickSize, .align = Align::right};
  canvas.text({plot.right(), plot.y - 6}, fmt::format("{:.3g} to {:.3g}", low, high), style);
}

void draw_simulation_row(Canvas& canvas, const Simulation& simulation, const SimulationRow& row,
                         const Rectangle& plot, const Scale& across) {
  if (row.lines.front().first->width > 1) return draw_field_row(canvas, row, plot);
  const Scale up = upward_scale(row, plot);
  for (const Tick& tick : ticks(up.low, up.high, 4)) {
    canvas.line({{plot.x, up(tick.value)}, {plot.right(), up(tick.value)}}, kSimulationGrid);
    canvas.text({plot.x - 6, up(tick.value) + 3.5}, tick.label, {.size = kTickSize, .align = Align::right});
  }
  canvas.clipped(plot, [&] {
    for (const auto& [variable, colour] : row.lines)
      draw_variable(canvas, simulation.time, *variable, colour, across, up);
  });
  canvas.frame(plot, kInk, 0.8);
  // Whole, at the edges too.
  if (row.measured != nullptr)
    for (std::size_t i = 0; i < row.measured->time.size(); ++i)
      if (row.measured->time[i] <= simulation.time.back())
        canvas.disc({across(row.measured->time[i]), up(row.measured->values[i])}, 1.8, kInk, kInk);
  if (row.lines.size() < 2) return;
  const TextStyle theory{.size = kTickSize, .colour = kTheoryLine, .align = Align::right, .is_bold = true},
      network{.size = kTickSize, .colour = kNetworkLine, .align = Align::right, .is_bold = true};
  canvas.text({plot.right() - 6, plot.y + 12}, "network", network);
  canvas.text({plot.right() - 6 - canvas.text_width("network", network) - 12, plot.y + 12}, "theory", theory);
}

std::vector<std::string> notes_of(const Simulation& simulation) {
  std::vector<std::string> notes;
  std::string theta;
  for (const std::string& name : simulation.parameters)
    theta += fmt::format("{}{} = {:.4g}", theta.empty() ? "At " : ", ", name, simulation.theta.at(name));
  if (!theta.empty()) notes.push_back(theta);
  if (std::isnan(simulation.level)) return notes;
  notes.push_back(fmt::format("Bands: {:g} %, of {} × {} θ, and noise", 100 * simulation.level,
                              counted(simulation.n_networks, "network"), simulation.n_draws));
  std::string coverage;
  for (const BandCheck& check : simulation.checks)
    if (!std::isnan(check.coverage))
      coverage +=
          fmt::format("{}{} {:.0f} %", coverage.empty() ? "" : ", ", check.name, 100 * check.coverage);
  if (!coverage.empty())
    notes.push_back(fmt::format("On {} they hold {}",
                                counted(simulation.n_checked_windows, simulation.checked_on + " window"),
                                coverage));
  return notes;
}

std::string time_label(const Simulation& simulation) {
  const std::string name = simulation.time_name.empty() ? "time" : simulation.time_name;
  return simulation.time_unit.empty() ? name : fmt::format("{} ({})", name, simulation.time_unit);
}

}  // namespace

void draw_simulation(const Simulation& simulation, const std::vector<std::filesystem::path>& files,
                     const PictureStyle& style) {
  const std::vector<SimulationRow> rows = rows_of(simulation);
  const PictureFit fit = fit_picture(style, kSimulationWidth, kSimulationLeast);
  const FigureHeader above(simulation.model + ": simulation", notes_of(simulation), fit);
  const RowLayout layout = row_layout(fit.width);
  const double top = above.height() + layout.above;
  const double height =
      top + static_cast<double>(rows.size()) * (kSimulationRowHeight + layout.gap) + kSimulationFooter;
  const auto draw = [&](Canvas& canvas) {
    above.draw(canvas);
    Rectangle plot{layout.left, top, fit.width - layout.left - kSimulationRight, kSimulationRowHeight};
    const Scale across{simulation.time.front(), simulation.time.back(), plot.x, plot.right()};
    for (const SimulationRow& row : rows) {
      draw_simulation_row(canvas, simulation, row, plot, across);
      draw_row_title(canvas, row.title, plot, layout);
      plot.y += kSimulationRowHeight + layout.gap;
    }
    draw_shared_axis(canvas, across, plot, plot.y - layout.gap, time_label(simulation));
  };
  draw_picture(files, fit.width, height, draw, fit.scale);
}

}  // namespace greybox
