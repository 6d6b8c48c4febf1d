#include "analysis/run/input_points.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "core/nearest_name.hpp"
#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::size_t kMostInputPoints = 1'000'000;

// Takes a number and the sign after it off the front; an empty sign stands for the end.
template <class Number>
bool take(std::string_view& text, char sign, Number& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto n = static_cast<std::size_t>(stop - text.data());
  if (error != std::errc{} || (sign != '\0' ? n >= text.size() || text[n] != sign : n != text.size()))
    return false;
  text.remove_prefix(sign != '\0' ? n + 1 : n);
  return true;
}

InputAxis parse_axis(std::string_view text) {
  const std::string_view whole = text;
  const std::size_t equals = text.find('=');
  InputAxis axis;
  axis.column = text.substr(0, equals);
  text.remove_prefix(equals == text.npos ? text.size() : equals + 1);
  if (axis.column.empty() || !take(text, ':', axis.low) || !take(text, ':', axis.high) ||
      !take(text, '\0', axis.n_points))
    refuse("--on", fmt::format("`{}` is not column=low:high:points", whole),
           "write for instance --on x=-3:3:200, or --on x=-3:3:50,z=0:1:20 for several columns");
  if (!(axis.low < axis.high) || !std::isfinite(axis.high - axis.low) || axis.n_points < 2)
    refuse("--on", fmt::format("`{}` is not a range of at least 2 points", whole), "low must be below high");
  return axis;
}

void check_columns(const std::vector<std::string>& inputs, const std::vector<InputAxis>& axes) {
  std::set<std::string> given;
  for (const InputAxis& axis : axes) {
    if (!given.insert(axis.column).second)
      refuse("--on", fmt::format("column `{}` is given twice", axis.column), "give each column once");
    if (std::find(inputs.begin(), inputs.end(), axis.column) != inputs.end()) continue;
    const auto near = nearest_name(axis.column, inputs);
    refuse("--on", fmt::format("the model reads no column `{}`", axis.column),
           near ? fmt::format("did you mean `{}`?", *near)
                : fmt::format("it reads {}", fmt::join(inputs, ", ")));
  }
  for (const std::string& input : inputs)
    if (!given.contains(input))
      refuse("--on", fmt::format("the model also reads `{}`, for which no range is given", input),
             fmt::format("add ,{}=LOW:HIGH:POINTS", input));
}

std::size_t count(const std::vector<InputAxis>& axes) {
  std::size_t n = 1;
  for (const InputAxis& axis : axes)
    n = std::min(n * std::min(axis.n_points, kMostInputPoints + 1), kMostInputPoints + 1);
  if (n > kMostInputPoints)
    refuse("--on", fmt::format("the grid has more than {} points", kMostInputPoints), "ask for fewer points");
  return n;
}

}  // namespace

std::vector<std::string> input_columns(const BoundModel& model) {
  std::set<std::string> names;
  for (const ModelColumn& column : model.columns) names.insert(column.name);
  for (const Observed& observed : model.observed) names.erase(model.columns[observed.column].name);
  return {names.begin(), names.end()};
}

std::vector<InputAxis> parse_input_points(const std::string& text) {
  std::vector<InputAxis> axes;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    axes.push_back(parse_axis(std::string_view(text).substr(begin, end - begin)));
    begin = end + 1;
  }
  return axes;
}

Table table_of_points(const std::filesystem::path& model_file, const std::vector<InputAxis>& axes) {
  const auto spec = std::make_shared<const ModelSpec>(read_model_spec(model_file));
  if (!spec->is_algebraic())
    refuse("--on", "grid points are for models without [state]: a trajectory starts from a window of data",
           "give a split, or a file with the windows to look at");
  const std::shared_ptr<const BoundModel> model = bind_model(spec, nullptr);
  check_columns(input_columns(*model), axes);
  const std::size_t n = count(axes);
  Table table;
  table.file = "--on";
  std::size_t n_inner = n;
  for (const InputAxis& axis : axes) {
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
  return table;
}

}  // namespace greybox
