#include "model/samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/name_list.hpp"

namespace greybox {
namespace {

void check_size(const BoundModel& model, const ModelColumn& wanted, const Column& column,
                const DataTable& table) {
  const Grid& grid = model.grid();
  const std::size_t height = wanted.shape == Shape::field ? grid.height : 1;
  const std::size_t width = wanted.shape == Shape::field ? grid.width : 1;
  if (column.height == height && column.width == width) return;
  const auto text = [](std::size_t h, std::size_t w) {
    if (h * w == 1) return std::string("a scalar");
    return h == 1 ? fmt::format("a field of one row of {}", w) : fmt::format("a field of {} × {}", h, w);
  };
  throw InputError(Diagnostic{
      .file = table.file,
      .element = fmt::format("column `{}`", wanted.name),
      .message = fmt::format("the data hold {}, and the model expects {}", text(column.height, column.width),
                             text(height, width)),
      .help = "set height, width and fields in the model's [grid] table to match the data",
  });
}

// Inputs stand behind the measured columns, one of which may have the same name.
const Column* column_of(const ModelColumn& wanted, const DataTable& table) {
  if (!wanted.is_input) return table.find(wanted.name);
  const auto found = std::find_if(table.columns.rbegin(), table.columns.rend(),
                                  [&](const Column& column) { return column.name == wanted.name; });
  return found == table.columns.rend() ? nullptr : &*found;
}

std::optional<Coupling> coupling_of(const BoundModel& model) {
  for (const BoundNetwork& network : model.networks)
    if (auto coupling = network.spec->kind->coupling(network.spec->settings)) return coupling;
  return std::nullopt;
}

}  // namespace

std::size_t WindowData::longest() const {
  std::size_t n = 0;
  for (const Window& window : windows) n = std::max(n, window.n_rows);
  return n;
}

WindowData view_windows(const BoundModel& model, const DataTable& table, std::vector<Window> windows) {
  WindowData data{&table, {}, std::move(windows)};
  std::vector<Diagnostic> missing;
  for (const ModelColumn& wanted : model.columns) {
    const Column* column = column_of(wanted, table);
    data.columns.push_back(column);
    if (column != nullptr) {
      check_size(model, wanted, *column, table);
      continue;
    }
    std::vector<std::string> names;
    for (const Column& known : table.columns) names.push_back(known.name);
    missing.push_back(
        Diagnostic{.file = table.file,
                   .message = fmt::format("the model needs a column `{}`, which the data lack", wanted.name),
                   .help = "the columns are " + name_list(names)});
  }
  if (!missing.empty()) throw InputError(std::move(missing));
  check_marching(model, data);
  for (const LearnedStart& start : model.starts) {
    std::vector<std::size_t>& slots = data.start_slots.emplace_back();
    for (std::size_t w = 0; w < data.windows.size(); ++w)
      slots.push_back(start.per == StartOwner::run      ? 0
                      : start.per == StartOwner::series ? data.windows[w].series
                                                        : w);
  }
  for (const Observed& observed : model.observed)
    data.misses_values |= count_missing(*data.columns[observed.column]) > 0;
  return data;
}

// Coupled samples of a batch march in step: a sample that had finished would still bear on the others.
void check_marching(const BoundModel& model, const WindowData& data) {
  const std::optional<Coupling> coupling = coupling_of(model);
  if (model.is_algebraic() || data.windows.empty() || !coupling) return;
  if (data.signals && data.signals->has_breaks())
    throw InputError(Diagnostic{
        .file = data.table->file,
        .message = fmt::format("inputs jump or bend between rows, and {} needs samples that take their steps "
                               "together",
                               coupling->cause),
        .help = fmt::format("use {}", fmt::join(coupling->alternatives, " or "))});
  const std::vector<double>& time = data.table->time;
  const double step = model.spec->solver.options.step;
  const auto n_steps = [&](const Window& window, std::size_t k) {
    const double length = time[window.first_row + k + 1] - time[window.first_row + k];
    return step > 0 ? std::max(1.0, std::ceil(length / step - 1e-6)) : 1.0;
  };
  const Window& first = data.windows.front();
  for (const Window& window : data.windows) {
    bool is_alike = window.n_rows == first.n_rows;
    for (std::size_t k = 0; is_alike && k + 1 < first.n_rows; ++k)
      is_alike = n_steps(window, k) == n_steps(first, k);
    if (!is_alike)
      throw InputError(Diagnostic{
          .file = data.table->file,
          .element = fmt::format("series `{}`", data.table->series[window.series].name),
          .message =
              fmt::format("windows differ in length or time steps, and {} needs them alike", coupling->cause),
          .help = fmt::format("set `window.length` in [data], or use {}",
                              fmt::join(coupling->alternatives, " or "))});
  }
}

}  // namespace greybox
