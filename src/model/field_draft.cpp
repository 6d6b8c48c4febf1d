// A first model of fields: they spread by diffusion, and a network adds what that lacks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/refuse.hpp"
#include "model/model_draft.hpp"

namespace greybox {
namespace {

// What is seen of a field is about this part of its width wide.
constexpr double kPartsOfWidth = 6;

// With points one unit apart: what spreads over a part of the width in the time in which the field changes.
double diffusivity_of(const TableProfile& profile, const ColumnProfile& field) {
  const double length = std::max(1.0, static_cast<double>(field.width) / kPartsOfWidth);
  return length * length * rate_of(profile, field);
}

// Curvature is of points this part of the width apart, which noise says less about than neighbours.
constexpr std::size_t kPartsOfCurvature = 16;
constexpr std::size_t kMostRowsOfCurvature = 400;

// Times a squared distance.
double curvature(const Column& field, std::size_t row, std::size_t point, std::size_t apart) {
  const double here = field.at(row, point);
  double sum = field.at(row, point - apart) - 2 * here + field.at(row, point + apart);
  if (field.height > 1)
    sum += field.at(row, point - apart * field.width) - 2 * here + field.at(row, point + apart * field.width);
  return sum;
}

// The least-squares factor between how fast a field changes and how it curves, in squared points per unit of
// time; not positive where that is not why it changes.
double measured_diffusivity(const DataTable& table, const Column& field) {
  const std::size_t apart = std::max<std::size_t>(
      1, std::min(field.width, std::max(field.height, 2 * kPartsOfCurvature)) / kPartsOfCurvature);
  const bool is_plane = field.height > 1;
  if (field.width <= 2 * apart || (is_plane && field.height <= 2 * apart)) return 0;
  const std::size_t stride = std::max<std::size_t>(1, table.n_rows() / kMostRowsOfCurvature);
  double product = 0, square = 0;
  for (const Series& series : table.series)
    for (std::size_t i = 1; i < series.n_rows; i += stride) {
      const std::size_t row = series.first_row + i;
      const double time = table.time[row] - table.time[row - 1];
      for (std::size_t y = is_plane ? apart : 0; y < (is_plane ? field.height - apart : 1); ++y)
        for (std::size_t x = apart; x + apart < field.width; ++x) {
          const std::size_t point = y * field.width + x;
          const double rate = (field.at(row, point) - field.at(row - 1, point)) / time;
          // The mean of both rows: their noise then says nothing of the rate.
          const double curved =
              (curvature(field, row, point, apart) + curvature(field, row - 1, point, apart)) / 2;
          if (!std::isfinite(rate * curved)) continue;
          product += rate * curved;
          square += curved * curved;
        }
    }
  return square > 0 ? static_cast<double>(apart * apart) * product / square : 0;
}

// Of their spread: edges that vary less are held. Of the difference between neighbours: opposite edges that
// differ no more are neighbours.
constexpr double kHeldEdge = 0.05, kAroundTheEdge = 1.5;
constexpr std::size_t kMostRows = 200;

struct Sums {
  double n = 0, sum = 0, squares = 0;

  void add(double value) {
    if (std::isnan(value)) return;
    ++n;
    sum += value;
    squares += value * value;
  }
  double mean() const { return n > 0 ? sum / n : 0; }
  double sd() const { return n > 0 ? std::sqrt(std::max(0.0, squares / n - mean() * mean())) : 0; }
};

// Values at the edges, everywhere, and their differences.
struct Edges {
  Sums edge, all, across, between;

  void add_line(const Column& field, std::size_t row, std::size_t first, std::size_t stride, std::size_t n) {
    const auto at = [&](std::size_t i) { return field.at(row, first + i * stride); };
    for (std::size_t i = 0; i < n; ++i) {
      all.add(at(i));
      if (i > 0) between.add(std::abs(at(i) - at(i - 1)));
    }
    edge.add(at(0));
    edge.add(at(n - 1));
    across.add(std::abs(at(n - 1) - at(0)));
  }
};

std::string boundary_of(const DataTable& table, const Column& field) {
  Edges edges;
  const std::size_t stride = std::max<std::size_t>(1, table.n_rows() / kMostRows);
  for (std::size_t row = 0; row < table.n_rows(); row += stride) {
    for (std::size_t y = 0; y < field.height; ++y)
      edges.add_line(field, row, y * field.width, 1, field.width);
    for (std::size_t x = 0; x < field.width && field.height > 1; ++x)
      edges.add_line(field, row, x, field.width, field.height);
  }
  if (edges.edge.sd() < kHeldEdge * edges.all.sd()) {
    const double value = edges.edge.mean();
    const bool is_zero = std::abs(value) < kHeldEdge * edges.all.sd();
    return fmt::format("\"fixed\"\noutside = {}", is_zero ? "0" : rounded_number(value));
  }
  return edges.across.mean() < kAroundTheEdge * edges.between.mean() ? "\"periodic\"" : "\"no_flux\"";
}

}  // namespace

void place_on_grid(const DataTable& table, const std::vector<GridAxis>& axes, ModelDraft& draft) {
  const auto text = [](double value) { return fmt::format("{:.9g}", value); };
  const GridAxis *x = nullptr, *y = nullptr;
  for (const GridAxis& axis : axes) (axis.is_y ? y : x) = &axis;
  for (std::size_t k = 0; k < draft.parameters.size(); ++k) {
    const Column* field = table.find(draft.state[k].second);
    const double measured = field != nullptr ? measured_diffusivity(table, *field) : 0;
    if (measured > 0) draft.parameters[k].centre = measured;
  }
  if (x != nullptr) {
    draft.spacing = text(x->spacing);
    draft.origin = text(x->first);
    if (y != nullptr) {
      draft.spacing = fmt::format("[{}, {}]", draft.spacing, text(y->spacing));
      draft.origin = fmt::format("[{}, {}]", draft.origin, text(y->first));
    }
    for (DraftedParameter& diffusivity : draft.parameters) {
      diffusivity.centre *= x->spacing * x->spacing;
      diffusivity.about = "how fast it spreads, in squared units of length per unit of time";
    }
  }
  draft.boundary = boundary_of(table, *table.find(draft.first_field));
}

ModelDraft field_draft(const TableProfile& profile, const std::string& file) {
  ModelDraft draft;
  for (const ColumnProfile& column : profile.columns) {
    if (!column.is_field()) {
      draft.notes.push_back("`" + column.name + "` is left out: add it as an input");
      continue;
    }
    if (column.is_constant) continue;
    const bool is_first = !draft.has_grid();
    if (is_first) {
      draft.grid_height = column.height;
      draft.grid_width = column.width;
      draft.first_field = column.file_name;
    }
    if (column.height != draft.grid_height || column.width != draft.grid_width) {
      draft.notes.push_back("`" + column.name + "` is left out: it is on another grid");
      continue;
    }
    draft.state.emplace_back(column.name, column.name);
    draft.observe.emplace_back(column.name, column.name);
    const std::string diffusivity = "diffusivity_" + column.name;
    draft.theory.emplace_back(column.name, diffusivity + " * laplacian(" + column.name + ")");
    draft.parameters.push_back({diffusivity, diffusivity_of(profile, column),
                                "how fast it spreads, in squared points per unit of time"});
    draft.network_inputs.push_back(column.name);
    draft.network_outputs.push_back(column.name);
  }
  if (draft.state.empty())
    refuse(file, "no field varies in its middle", "a model needs something that changes");
  return draft;
}

}  // namespace greybox
