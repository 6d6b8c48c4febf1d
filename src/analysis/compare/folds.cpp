#include "analysis/compare/folds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/refuse.hpp"

namespace greybox {
namespace {

constexpr std::size_t kNamesShown = 4;

// Of what is not tested on.
double validation_share(const SplitOptions& split) {
  const double both = split.train + split.validation;
  return both > 0 ? split.validation / both : 0;
}

std::string series_text(const std::vector<std::string>& names) {
  if (names.size() <= kNamesShown) return fmt::format("{}", fmt::join(names, ", "));
  const std::vector<std::string> first(names.begin(), names.begin() + kNamesShown);
  return fmt::format("{} and {} more", fmt::join(first, ", "), names.size() - kNamesShown);
}

// Series k, k + n, k + 2 n, …
Fold series_fold(const SplitOptions& split, const DataTable& table, std::size_t k, std::size_t n) {
  Fold fold{split, {}};
  fold.split.by = SplitBy::series;
  fold.split.validation = validation_share(split);
  fold.split.train = 1 - fold.split.validation;
  fold.split.test = 0;
  fold.split.gap = 0;
  fold.split.held_out.clear();
  for (std::size_t s = k; s < table.series.size(); s += n)
    fold.split.held_out.push_back(table.series[s].name);
  fold.tested_on = series_text(fold.split.held_out);
  return fold;
}

// The part of the first series that is tested on stands for those of the others.
std::string part_text(const DataTable& table, std::size_t part, std::size_t n_parts) {
  const Series& series = table.series.front();
  const auto row = [&](std::size_t p) { return series.first_row + p * series.n_rows / n_parts; };
  const std::size_t last = std::max(row(part + 1), row(part) + 1) - 1;
  return fmt::format("{:g} to {:g}", table.time[row(part)], table.time[last]);
}

Fold time_fold(const DataSpec& data, const DataTable& table, std::size_t k, std::size_t n) {
  const auto n_learned = static_cast<double>(k + 1), n_used = static_cast<double>(k + 2);
  Fold fold{data.split, part_text(table, k + 1, n + 1)};
  fold.split.by = SplitBy::time;
  fold.split.test = 1 / n_used;
  fold.split.until = n_used / static_cast<double>(n + 1);
  fold.split.validation = n_learned / n_used * validation_share(data.split);
  const std::size_t longest = std::ranges::max(table.series, {}, &Series::n_rows).n_rows;
  const double n_rows = fold.split.validation * fold.split.until * static_cast<double>(longest);
  if (n_rows + 1e-9 < static_cast<double>(data.window.length)) fold.split.validation = 0;
  fold.split.train = 1 - fold.split.test - fold.split.validation;
  fold.split.held_out.clear();
  return fold;
}

}  // namespace

std::vector<Fold> make_folds(const CompareOptions& options, const DataSpec& data, const DataTable& table) {
  std::vector<Fold> folds;
  if (options.folds == Folds::none) return folds;
  const bool is_series = options.folds == Folds::series;
  if (is_series && table.series.size() < 2)
    throw InputError(Diagnostic{.file = table.file,
                                .message = "there is one series, and none to learn from when it is left out",
                                .help = "name the column of series in [data], or cut folds in time"});
  const std::size_t n = is_series ? std::min(options.trials, table.series.size()) : options.trials;
  if (is_series && n < 2)
    refuse_option("trials", "one fold leaves nothing to learn from", "two or more, or one per series");
  for (std::size_t k = 0; k < n; ++k)
    folds.push_back(is_series ? series_fold(data.split, table, k, n) : time_fold(data, table, k, n));
  return folds;
}

}  // namespace greybox
