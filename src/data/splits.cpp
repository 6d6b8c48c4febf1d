// Windows shared out among training, validation and test.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/nearest_name.hpp"
#include "core/random.hpp"
#include "core/refuse.hpp"
#include "data/mistakes.hpp"
#include "data/windows.hpp"

namespace greybox {
namespace {

constexpr std::array kNames = {"train", "validation", "test"};

using Fractions = std::array<double, 3>;
using Counts = std::array<std::size_t, 3>;

void check_fractions(const DataTable& table, const Fractions& fractions) {
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  const bool are_sound = std::all_of(fractions.begin(), fractions.end(), [](double f) { return f >= 0; });
  if (are_sound && std::abs(sum - 1) < 1e-9) return;
  Place{table.file, ""}.refuse(fmt::format("the fractions {}, {} and {} of the split do not make up 1",
                                           fractions[0], fractions[1], fractions[2]),
                               "make train + validation + test = 1, none of them negative");
}

// Largest remainders: every part is within one of its exact share, and ties favour train, then validation.
Counts share_out(std::size_t n, const Fractions& fractions) {
  Counts counts;
  std::array<double, 3> remainders;
  for (std::size_t part = 0; part < 3; ++part) {
    // Shares like 0.3 × 10 must not lose a whole item to rounding.
    const double share = fractions[part] * static_cast<double>(n) + 1e-9;
    counts[part] = static_cast<std::size_t>(share);
    remainders[part] = share - std::floor(share);
  }
  std::size_t left = n - std::min(n, counts[0] + counts[1] + counts[2]);
  for (; left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t part = 1; part < 3; ++part) {
      if (remainders[part] > remainders[most] + 1e-6) most = part;
    }
    ++counts[most];
    remainders[most] -= 1;
  }
  return counts;
}

std::vector<bool> held_out_series(const DataTable& table, const SplitOptions& options) {
  std::vector<std::string> names;
  for (const Series& series : table.series) names.push_back(series.name);
  std::vector<bool> result(names.size(), false);
  for (const std::string& name : options.held_out) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      const auto nearest = nearest_name(name, names);
      Place{table.file, ""}.refuse(
          fmt::format("no series {}, which the split holds out", in_backquotes(name)),
          nearest ? fmt::format("did you mean {}?", in_backquotes(*nearest)) : "name a series of the file");
    }
    result[static_cast<std::size_t>(found - names.begin())] = true;
  }
  return result;
}

void shuffle(std::vector<std::size_t>& items, std::uint64_t seed) {
  const Random random(seed, Purpose::split);
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i, 0, i)]);
}

// The parts of `items`, which are numbers of series or of windows.
std::vector<Split> split_items(const DataTable& table, std::vector<std::size_t> items, std::size_t n_all,
                               const SplitOptions& options) {
  const Fractions fractions = {options.train, options.validation, options.test};
  const Counts counts = share_out(items.size(), fractions);
  for (std::size_t part = 0; part < 3; ++part) {
    const bool is_filled = counts[part] > 0 || (part == 2 && !options.held_out.empty());
    if (fractions[part] == 0 || is_filled) continue;
    const bool by_series = options.by == SplitBy::series;
    Place{table.file, ""}.refuse(
        fmt::format("the split leaves nothing for {}: {} of {} {}", kNames[part], fractions[part],
                    items.size(), by_series ? "series" : "windows"),
        by_series          ? "give it a larger fraction, or split each series with by = \"time\""
        : items.size() < 3 ? "make the windows shorter, or leave `split` out: nothing then tells how "
                             "the model does on data that it has not seen"
                           : "give it a larger fraction");
  }
  if (options.shuffle) shuffle(items, options.seed);
  std::vector<Split> splits(n_all, Split::test);
  for (std::size_t i = 0; i < items.size(); ++i) {
    splits[items[i]] = i < counts[0]               ? Split::train
                       : i < counts[0] + counts[1] ? Split::validation
                                                   : Split::test;
  }
  return splits;
}

// By time: the first row of validation and of test in a series.
struct Borders {
  std::array<std::size_t, 2> rows;
  std::array<double, 2> from;  // no window of that part starts earlier
};

std::size_t used_rows(const Series& series, const SplitOptions& options) {
  return static_cast<std::size_t>(options.until * static_cast<double>(series.n_rows) + 1e-9);
}

Borders borders_of(const DataTable& table, const Series& series, const SplitOptions& options) {
  const Counts counts =
      share_out(used_rows(series, options), {options.train, options.validation, options.test});
  Borders borders{};
  for (std::size_t b = 0; b < 2; ++b) {
    const std::size_t n_before = counts[0] + (b == 1 ? counts[1] : 0);
    borders.rows[b] = series.first_row + n_before;
    // The part before may be empty; the gap counts from the last row before the border.
    borders.from[b] = n_before > 0 ? table.time[borders.rows[b] - 1] + options.gap
                                   : -std::numeric_limits<double>::infinity();
  }
  return borders;
}

std::size_t part_of(const Borders& borders, std::size_t row) {
  return row < borders.rows[0] ? 0 : row < borders.rows[1] ? 1 : 2;
}

std::vector<Split> split_by_time(const DataTable& table, const std::vector<Window>& windows,
                                 const std::vector<bool>& held_out, const SplitOptions& options) {
  const Fractions fractions = {options.train, options.validation, options.test};
  std::vector<Split> splits;
  Counts counts{};
  for (const Window& window : windows) {
    const std::size_t part =
        held_out[window.series]
            ? 2
            : part_of(borders_of(table, table.series[window.series], options), window.first_row);
    splits.push_back(static_cast<Split>(part));
    ++counts[part];
  }
  for (std::size_t part = 0; part < 3; ++part)
    if (fractions[part] > 0 && counts[part] == 0)
      Place{table.file, ""}.refuse(
          fmt::format("the split by time leaves no window for {}: none fits into its part of a series",
                      kNames[part]),
          "make windows shorter (`window.length` in [data]), the gap smaller, or the fraction larger");
  return splits;
}

}  // namespace

std::size_t drop_straddling(const DataTable& table, std::vector<Window>& windows,
                            const SplitOptions& options) {
  if (options.by != SplitBy::time) return 0;
  check_fractions(table, {options.train, options.validation, options.test});
  const std::vector<bool> held_out = held_out_series(table, options);
  return std::erase_if(windows, [&](const Window& window) {
    if (held_out[window.series]) return false;
    const Series& series = table.series[window.series];
    if (window.first_row + window.n_rows > series.first_row + used_rows(series, options)) return true;
    const Borders borders = borders_of(table, series, options);
    const std::size_t part = part_of(borders, window.first_row);
    if (part != part_of(borders, window.first_row + window.n_rows - 1)) return true;
    return part > 0 && options.gap > 0 && table.time[window.first_row] < borders.from[part - 1];
  });
}

std::size_t count_leaks(const std::vector<Window>& windows, const std::vector<Split>& splits) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t j = i + 1; j < windows.size() && windows[j].series == windows[i].series &&
                                windows[j].first_row + 1 < windows[i].first_row + windows[i].n_rows;
         ++j)
      n += splits[i] != splits[j] ? 1 : 0;
  return n;
}

std::string to_string(Split split) {
  return kNames[static_cast<std::size_t>(split)];
}

Split split_named(const std::string& name) {
  for (std::size_t part = 0; part < kNames.size(); ++part)
    if (name == kNames[part]) return static_cast<Split>(part);
  const auto near = nearest_name(name, std::vector<std::string>(kNames.begin(), kNames.end()));
  refuse_option("on", fmt::format("`{}` is no part of the data", name),
                near ? fmt::format("did you mean `{}`?", *near) : "the parts are train, validation, test");
}

std::vector<Split> split_windows(const DataTable& table, const std::vector<Window>& windows,
                                 const SplitOptions& options) {
  check_fractions(table, {options.train, options.validation, options.test});
  const std::vector<bool> held_out = held_out_series(table, options);
  if (options.by == SplitBy::time) return split_by_time(table, windows, held_out, options);
  const bool by_series = options.by == SplitBy::series;
  // Series too short for a window take no part, so that the fractions hold for what is used.
  std::vector<std::size_t> items;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::size_t item = by_series ? windows[i].series : i;
    if (!held_out[windows[i].series] && (items.empty() || items.back() != item)) items.push_back(item);
  }
  const std::size_t n_all = by_series ? table.series.size() : windows.size();
  const std::vector<Split> of_items = split_items(table, std::move(items), n_all, options);
  std::vector<Split> splits;
  for (std::size_t i = 0; i < windows.size(); ++i)
    splits.push_back(of_items[by_series ? windows[i].series : i]);
  return splits;
}

}  // namespace greybox
