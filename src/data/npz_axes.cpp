#include "data/npz_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "data/mistakes.hpp"

namespace greybox {
namespace {

// Arrays of the right size with other names could be anything.
constexpr auto kNamesOfX =
    std::to_array<std::string_view>({"x", "xs", "xx", "x_grid", "xgrid", "x_coord", "position", "pos",
                                     "space", "z", "r", "depth", "distance"});
constexpr auto kNamesOfY = std::to_array<std::string_view>({"y", "ys", "yy", "y_grid", "ygrid", "y_coord"});
// Of the spacing, for coordinates in single precision.
constexpr double kUneven = 1e-2;

// In small letters.
bool is_called(std::span<const std::string_view> names, std::string name) {
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::size_t> without_ones(const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> kept;
  for (const std::size_t n : shape)
    if (n != 1) kept.push_back(n);
  return kept;
}

class AxesTaker {
 public:
  AxesTaker(std::vector<NpzEntry>& entries, const NpzEntry* time, const TableOptions& options,
            const std::string& file)
      : entries_(entries), time_(time), options_(options), file_(file) {}

  std::vector<GridAxis> take() {
    find_candidates();
    if (candidates_.empty()) return {};
    lay_out_one_run();
    for (const NpzEntry& entry : entries_)
      if (const std::vector<std::size_t>& shape = entry.numbers.shape;
          shape.size() == 3 || shape.size() == 4) {
        width_ = shape.back();
        height_ = shape.size() == 4 ? shape[2] : 1;
        break;
      }
    std::vector<GridAxis> axes;
    for (const std::size_t candidate : candidates_)
      if (const auto axis = axis_of(entries_[candidate])) axes.push_back(*axis);
    std::erase_if(entries_, [&](const NpzEntry& entry) {
      return std::ranges::any_of(axes, [&](const GridAxis& axis) { return axis.name == entry.name; });
    });
    return axes;
  }

 private:
  void find_candidates() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const NpzEntry& entry = entries_[i];
      const bool is_read =
          std::ranges::find(options_.columns_read, entry.name) != options_.columns_read.end();
      const bool is_coordinate_word = entry.name == "x" || entry.name == "y";
      if (entry.is_text || without_ones(entry.numbers.shape).size() != 1 || (is_read && !is_coordinate_word))
        continue;
      if (is_called(kNamesOfX, entry.name) || is_called(kNamesOfY, entry.name)) candidates_.push_back(i);
    }
  }

  std::size_t n_points(std::size_t candidate) const { return entries_[candidate].numbers.size(); }

  // Arrays (steps × width), (width × steps) or (steps × height × width), as a single run is often kept.
  void lay_out_one_run() {
    if (time_ == nullptr || time_->is_text) return;
    const std::vector<std::size_t> of_time = without_ones(time_->numbers.shape);
    if (of_time.size() != 1) return;
    const std::size_t n_steps = of_time[0];
    std::size_t n_fields = 0;
    for (const NpzEntry& entry : entries_) n_fields += n_axes_of_run(entry, n_steps) > 0 ? 1 : 0;
    const std::size_t n_others = entries_.size() - candidates_.size();
    if (n_fields == 0 || n_fields != n_others) return;
    for (NpzEntry& entry : entries_) {
      if (n_axes_of_run(entry, n_steps) == 0) continue;
      if (entry.numbers.shape[0] != n_steps) transpose(entry.numbers);
      entry.numbers.shape.insert(entry.numbers.shape.begin(), 1);
    }
  }

  // 0 where the array is not that of one run.
  std::size_t n_axes_of_run(const NpzEntry& entry, std::size_t n_steps) const {
    const std::vector<std::size_t>& shape = entry.numbers.shape;
    const auto has_points = [&](std::size_t n) {
      return std::ranges::any_of(candidates_, [&](std::size_t c) { return n_points(c) == n; });
    };
    const bool is_line = shape.size() == 2 && ((shape[0] == n_steps && has_points(shape[1])) ||
                                               (shape[1] == n_steps && has_points(shape[0])));
    const bool is_plane = shape.size() == 3 && candidates_.size() > 1 && shape[0] == n_steps &&
                          shape[1] != n_steps && has_points(shape[1]) && has_points(shape[2]);
    return is_line || is_plane ? shape.size() - 1 : 0;
  }

  static void transpose(NpyArray& array) {
    const std::size_t n_rows = array.shape[0], n_columns = array.shape[1];
    std::visit(
        [&](auto& values) {
          auto turned = values;
          for (std::size_t i = 0; i < n_rows; ++i)
            for (std::size_t k = 0; k < n_columns; ++k) turned[k * n_rows + i] = values[i * n_columns + k];
          values = std::move(turned);
        },
        array.values);
    std::swap(array.shape[0], array.shape[1]);
  }

  std::optional<GridAxis> axis_of(const NpzEntry& entry) const {
    const std::size_t n = entry.numbers.size();
    const bool is_y = is_called(kNamesOfY, entry.name) && height_ > 1;
    if (n < 2 || n != (is_y ? height_ : width_)) return std::nullopt;
    const std::vector<double> values = entry.to_doubles();
    const double spacing = (values.back() - values.front()) / static_cast<double>(n - 1);
    bool is_even = std::isfinite(spacing) && spacing > 0;
    for (std::size_t i = 1; i < n && is_even; ++i)
      is_even = std::abs(values[i] - values[i - 1] - spacing) <= kUneven * spacing;
    if (!is_even)
      Place{file_, fmt::format("array {}", in_backquotes(entry.name))}.refuse(
          "the points of the fields are not evenly spaced, in rising order",
          "interpolate the fields onto a grid that is, or leave this array out");
    return GridAxis{entry.name, is_y, n, values.front(), spacing};
  }

  std::vector<NpzEntry>& entries_;
  const NpzEntry* time_;
  const TableOptions& options_;
  const std::string& file_;
  std::vector<std::size_t> candidates_;
  std::size_t width_ = 0, height_ = 0;
};

}  // namespace

std::vector<GridAxis> take_grid_axes(std::vector<NpzEntry>& entries, const NpzEntry* time,
                                     const TableOptions& options, const std::string& file) {
  return AxesTaker(entries, time, options, file).take();
}

}  // namespace greybox
