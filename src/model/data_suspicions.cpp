// What looks wrong with a model's data.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "data/npz_table.hpp"
#include "greybox/counted.hpp"
#include "model/data_report.hpp"

namespace greybox {
namespace {

// A spacing of points that is so far off is another.
constexpr double kOtherSpacing = 0.01;

// Whether most steps are alike, so that a long one is a hole rather than the way of sampling.
bool is_regular(const DataTable& table, const TimeSummary& time) {
  std::size_t n_alike = 0;
  for (const Series& series : table.series)
    for (std::size_t row = series.first_row + 1; row < series.first_row + series.n_rows; ++row)
      n_alike +=
          std::abs(table.time[row] - table.time[row - 1] - time.median_step) < 0.1 * time.median_step ? 1 : 0;
  return 10 * n_alike > 8 * time.n_steps;
}

bool is_constant(const Column& column) {
  double first = NAN;
  bool varies = false;
  column.for_each([&](double value) {
    if (std::isnan(value)) return;
    if (std::isnan(first)) first = value;
    varies |= value != first;
  });
  return !varies;
}

constexpr std::array kSentinels = {-9999.0, -999.0,  -99.0,    -9.0, -1.0, 9999.0,
                                   999.0,   99999.0, -99999.0, 1e20, 1e30, -1e30};

// The least of the values that differ from any one of them.
struct TwoLeast {
  double least = INFINITY, next = INFINITY;

  void add(double value) {
    if (value < least) {
      next = least;
      least = value;
    } else if (value > least) {
      next = std::min(next, value);
    }
  }
  double without(double value) const { return least == value ? next : least; }
};

// What must be known of a column to judge every sentinel.
struct SentinelCount {
  std::array<std::size_t, kSentinels.size()> n{};
  TwoLeast low, minus_high;

  void add(double value) {
    for (std::size_t s = 0; s < kSentinels.size(); ++s) n[s] += value == kSentinels[s] ? 1 : 0;
    if (std::isnan(value)) return;
    low.add(value);
    minus_high.add(-value);
  }
};

class Suspicions {
 public:
  explicit Suspicions(const LoadedModel& loaded)
      : spec_(loaded.spec->data),
        grid_(loaded.spec->grid.grid),
        has_grid_(loaded.spec->grid.is_given),
        model_(*loaded.model),
        data_(*loaded.data) {}

  std::vector<std::string> find() {
    check_columns();
    check_grid();
    check_account();
    check_time();
    check_splits();
    return std::move(found_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    found_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  bool is_observed(std::size_t column) const {
    return std::ranges::any_of(model_.observed, [&](const Observed& what) { return what.column == column; });
  }

  void check_columns() {
    for (std::size_t c = 0; c < model_.columns.size(); ++c) {
      const Column& column = *data_.windows().columns[c];
      if (column.is_field()) continue;
      if (const auto sentinel = find_sentinel(column))
        add("column `{0}` has the value {1:g} ({2} times), far from all others: if that means missing, write "
            "missing_words = "
            "[\"{1:g}\"] in [data]",
            column.name, sentinel->value, sentinel->n);
      const bool has_own_times = model_.columns[c].is_input && data_.windows().signals;
      if (data_.table().n_rows() < 2 || has_own_times || !is_constant(column)) continue;
      if (is_observed(c))
        add("output `{}` does not vary: nothing can be learned from it", column.name);
      else
        add("column `{}` is constant", column.name);
    }
  }

  void check_grid() {
    if (!data_.table().is_file || !has_grid_) return;
    for (const GridAxis& axis : read_npz_axes(data_.table().file, spec_.table)) {
      const double spacing = axis.is_y ? grid_.dy : grid_.dx;
      if (std::abs(axis.spacing - spacing) > kOtherSpacing * spacing)
        add("[grid] says that the points are {:g} apart, and `{}` of the file {:.6g}: write spacing = "
            "{:.6g}, "
            "unless lengths are counted in another unit",
            spacing, axis.name, axis.spacing, axis.spacing);
    }
  }

  void check_account() {
    const DataAccount& account = data_.account();
    if (account.n_rows_with_inputs > 0)
      add("{} of {} rows are dropped although they have values of inputs, which become ramps between the "
          "rows that are "
          "left: missing = \"skip\" in [data] keeps them",
          account.n_rows_with_inputs, account.n_rows);
    const std::size_t n_left = data_.windows().windows.size();
    if (account.n_without_start > n_left)
      add("{} windows cannot start, for what they start from is missing, and {} are left: start from other "
          "columns, or "
          "set missing = \"interpolate\"",
          account.n_without_start, n_left);
  }

  void check_time() {
    const TimeSummary time = time_summary(data_.table());
    if (model_.is_algebraic()) return;
    if (time.n_gaps > 0 && spec_.window.length == 0 && spec_.durations.length == 0 &&
        is_regular(data_.table(), time))
      add("gaps in time: {}, the longest {:.4g} where steps are {:.4g}, and every series is one window: "
          "predictions run "
          "on through them; set `window`",
          time.n_gaps, time.greatest_step, time.median_step);
    if (time.column.empty() && data_.table().is_file && spec_.table.time_column.empty())
      add("there is no time column: rows are counted, and rates are per row; set `time` in [data], or "
          "\"none\" if that "
          "is meant");
  }

  void check_splits() {
    const std::vector<Window>& windows = data_.windows().windows;
    const SplitOptions& split = spec_.split;
    const bool is_split = split.validation > 0 || split.test > 0 || !split.held_out.empty();
    if (is_split && split.by == SplitBy::window) {
      const std::vector<Split> parts = split_windows(data_.table(), windows, split);
      if (const std::size_t n = count_leaks(windows, parts); n > 0)
        add("windows overlap across splits ({} that share rows), so that validation and test flatter the "
            "model: use "
            "by = \"time\" or by = \"series\", or a stride of at least the window's length",
            counted(n, "pair"));
    }
    if (model_.is_algebraic()) return;
    if (windows.size() == 1)
      add("there is one window: nothing is held out, and nobody can say how the model does on data that it "
          "has not seen, "
          "nor how sure an estimate is; cut it with `window`, and split with by = \"time\"");
    else if (data_.table().series.size() == 1 && !is_split)
      add("there is one series and no split: nobody can say how the model does on data that it has not seen; "
          "split with "
          "by = \"time\"");
  }

  const DataSpec& spec_;
  const Grid& grid_;
  bool has_grid_;
  const BoundModel& model_;
  const PreparedData& data_;
  std::vector<std::string> found_;
};

}  // namespace

std::optional<Sentinel> find_sentinel(const Column& column) {
  SentinelCount count;
  column.for_each([&](double value) { count.add(value); });
  for (std::size_t s = 0; s < kSentinels.size(); ++s) {
    const double sentinel = kSentinels[s];
    const std::size_t n = count.n[s];
    const double low = count.low.without(sentinel), high = -count.minus_high.without(-sentinel);
    if (n == 0 || low > high) continue;
    const double width = std::max(high - low, std::abs(high));
    const bool is_small =
        std::abs(sentinel) < 90;  // may well be a value: only below numbers that are never negative
    // However large the others are: the same negative number again and again, among none that is negative.
    const bool is_only_negative = !is_small && sentinel < 0 && low >= 0 && n > 1;
    const bool is_far = is_small ? low >= 0 && sentinel < low - width && n > 1
                                 : sentinel < low - 2 * width || sentinel > high + 2 * width;
    if (is_far || is_only_negative) return Sentinel{sentinel, n};
  }
  return std::nullopt;
}

std::vector<std::string> data_suspicions(const LoadedModel& loaded) {
  return Suspicions(loaded).find();
}

}  // namespace greybox
