#include "model/samples.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace greybox {
namespace {

void check_size(const BoundModel& model, const ModelColumn& wanted, const Column& column, const Table& table) {
  const Grid& grid = model.grid();
  const std::size_t height = wanted.shape == Shape::field ? grid.height : 1;
  const std::size_t width = wanted.shape == Shape::field ? grid.width : 1;
  if (column.height == height && column.width == width) return;
  const auto text = [](std::size_t h, std::size_t w) {
    return h * w == 1 ? std::string("a scalar") : fmt::format("a field of {} × {}", h, w);
  };
  throw InputError(Diagnostic{
      .file = table.file,
      .element = fmt::format("column `{}`", wanted.name),
      .message = fmt::format("the data hold {}, and the model expects {}", text(column.height, column.width),
                             text(height, width)),
      .help = "set height, width and fields in the model's [grid] table to match the data",
  });
}

}  // namespace

std::size_t WindowData::longest() const {
  std::size_t n = 0;
  for (const Window& window : windows) n = std::max(n, window.n_rows);
  return n;
}

WindowData view_windows(const BoundModel& model, const Table& table, std::vector<Window> windows) {
  WindowData data{&table, {}, std::move(windows)};
  std::vector<Diagnostic> missing;
  for (const ModelColumn& wanted : model.columns) {
    const Column* column = table.find(wanted.name);
    data.columns.push_back(column);
    if (column != nullptr) {
      check_size(model, wanted, *column, table);
      continue;
    }
    std::vector<std::string> names;
    for (const Column& known : table.columns) names.push_back(known.name);
    missing.push_back(Diagnostic{.file = table.file,
                                 .message = fmt::format("the model needs a column `{}`, which the data lack", wanted.name),
                                 .help = fmt::format("the file has {}", fmt::join(names, ", "))});
  }
  if (!missing.empty()) throw InputError(std::move(missing));
  return data;
}

}  // namespace greybox
