#include "analysis/run/input_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostInputPoints = 1'000'000;

void check_range(const InputRange& axis) {
  if (!(axis.low < axis.high) || !std::isfinite(axis.high - axis.low) || axis.n_points < 2)
    refuse_option("on", fmt::format("{} to {} is not a range of at least 2 points", axis.low, axis.high),
                  "low must be below high");
}

void check_columns(const std::vector<std::string>& inputs, const std::vector<InputRange>& axes) {
  std::set<std::string> given;
  for (const InputRange& axis : axes) {
    if (!given.insert(axis.column).second)
      refuse_option("on", fmt::format("column `{}` is given twice", axis.column), "give each column once");
    if (std::find(inputs.begin(), inputs.end(), axis.column) != inputs.end()) continue;
    const auto near = nearest_name(axis.column, inputs);
    refuse_option("on", fmt::format("the model reads no column `{}`", axis.column),
                  near ? fmt::format("did you mean `{}`?", *near)
                       : fmt::format("it reads {}", fmt::join(inputs, ", ")));
  }
  for (const std::string& input : inputs)
    if (!given.contains(input))
      refuse_option("on", fmt::format("the model also reads `{}`, for which no range is given", input),
                    fmt::format("give a range for {} too", input));
}

std::size_t count(const std::vector<InputRange>& axes) {
  std::size_t n = 1;
  for (const InputRange& axis : axes)
    n = std::min(n * std::min(axis.n_points, kMostInputPoints + 1), kMostInputPoints + 1);
  if (n > kMostInputPoints)
    refuse_option("on", fmt::format("the grid has more than {} points", kMostInputPoints),
                  "ask for fewer points");
  return n;
}

}  // namespace

std::vector<std::string> input_columns(const BoundModel& model) {
  std::set<std::string> names;
  for (const ModelColumn& column : model.columns) names.insert(column.name);
  for (const Observed& observed : model.observed) names.erase(model.columns[observed.column].name);
  return {names.begin(), names.end()};
}

std::shared_ptr<const DataTable> table_of_points(const std::shared_ptr<const ModelSpec>& spec,
                                                 const Points& points) {
  if (!spec->is_algebraic())
    refuse_option("on",
                  "grid points are for models without [state]: a trajectory starts from a window of data",
                  "give a split, or a file with the windows to look at");
  const std::shared_ptr<const BoundModel> model = bind_model(spec, nullptr);
  const std::vector<InputRange>& axes = points.axes;
  for (const InputRange& axis : axes) check_range(axis);
  check_columns(input_columns(*model), axes);
  const std::size_t n = count(axes);
  DataTable table;
  table.file = to_string(points);
  std::size_t n_inner = n;
  for (const InputRange& axis : axes) {
    n_inner /= axis.n_points;
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = std::lerp(
          axis.low, axis.high,
          static_cast<double>(i / n_inner % axis.n_points) / static_cast<double>(axis.n_points - 1));
    table.columns.push_back({axis.column, 1, 1, std::move(values)});
  }
  for (const Observed& observed : model->observed)
    table.columns.push_back({model->columns[observed.column].name, 1, 1, std::vector<double>(n)});
  table.time.resize(n);
  std::iota(table.time.begin(), table.time.end(), 0.0);
  table.series = {{std::string(kWholeFile), 0, n}};
  table.lines.resize(n);
  return std::make_shared<const DataTable>(std::move(table));
}

std::string to_string(const Points& points) {
  std::string text;
  for (const InputRange& axis : points.axes)
    text += fmt::format("{}{}={}:{}:{}", text.empty() ? "" : ",", axis.column, axis.low, axis.high,
                        axis.n_points);
  return text;
}

}  // namespace greybox
