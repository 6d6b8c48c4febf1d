#include "model/window_proposal.hpp"

#include <algorithm>
#include <optional>

#include "data/independent_windows.hpp"
#include "greybox/error.hpp"

namespace greybox {
namespace {

constexpr std::size_t kLeastRows = 15, kShortestWindow = 6, kLongestWindow = 25, kShortestOfAll = 3;
constexpr std::size_t kLongestOversampled = 100;
constexpr std::size_t kFewSeries = 5;  // fewer are cut in time instead of dealt out
constexpr std::size_t kTypicalMemory = 5;

struct Shares {
  double train, validation, test;
};
constexpr Shares kShares[] = {{0.6, 0.2, 0.2}, {0.5, 0.3, 0.2}, {0.4, 0.4, 0.2}, {0.5, 0.5, 0}};
// A snapshot of fields tells much, and costs much.
constexpr std::size_t kLongestWindowOfFields = 8;
// Windows that overlap cost time, and where there are so many rows for each, they tell nothing more.
constexpr std::size_t kEnoughWindows = 500;

class Proposer {
 public:
  Proposer(const DataTable& table, const TableProfile& profile) : table_(table), profile_(profile) {
    for (const ColumnProfile& column : profile.columns)
      if (!column.is_setting && !column.is_constant && column.n_missing > 0 && !column.is_missing_at_first)
        gappy_.push_back(table.find(column.file_name));
  }

  WindowProposal propose(bool may_cut) const {
    const bool has_windows = may_cut && profile_.n_shortest >= kLeastRows;
    if (!has_windows && is_cut_in_time()) return {.n_independent = profile_.n_series};
    const std::size_t wished = has_windows ? wished_length() : 0;
    for (std::size_t length = wished;; length = length * 3 / 4) {
      for (const Shares& shares : kShares) {
        if (length > 0 && shares.test == 0) continue;  // rather shorter windows
        if (const auto one = split_into(length, shares); one && one->n_independent >= kFewestUnits)
          return *one;
      }
      if (length * 3 / 4 < kShortestOfAll) break;
    }
    return too_few(wished);
  }

 private:
  // Longer ones teach a network little that shorter ones do not, and run away sooner.
  std::size_t wished_length() const {
    std::vector<std::size_t> memories;
    for (const ColumnProfile& column : profile_.columns)
      if (!column.is_constant && !column.is_setting) memories.push_back(column.memory);
    std::ranges::sort(memories);
    const std::size_t memory = memories.empty() ? kTypicalMemory : memories[memories.size() / 2];
    return std::clamp<std::size_t>(
        memory + 1, std::min(kShortestWindow, longest_that_fits()),
        std::min(has_fields() ? kLongestWindowOfFields : longest_window(memory), longest_that_fits()));
  }
  // Of what is sampled much faster than it changes, few rows show noise alone.
  static std::size_t longest_window(std::size_t memory) {
    return std::clamp(memory / 4, kLongestWindow, kLongestOversampled);
  }
  // A fifth of a series must hold a window wherever it begins, which is every quarter of a window.
  std::size_t longest_that_fits() const {
    const std::size_t most = is_cut_in_time() ? (4 * (profile_.n_shortest / 5)) / 5 : profile_.n_shortest;
    return std::max(most, kShortestOfAll);
  }
  bool has_fields() const { return std::ranges::any_of(profile_.columns, &ColumnProfile::is_field); }
  bool is_cut_in_time() const { return profile_.n_series < kFewSeries; }

  // Data that allow no verdict on what is held back: on what was learned from, if that is enough; else one
  // still sees whether the model does on other data.
  WindowProposal too_few(std::size_t wished) const {
    for (std::size_t length = wished;; --length) {
      if (const auto all = split_into(length, {1, 0, 0}); all && all->n_independent >= kFewestUnits)
        return *all;
      if (length <= kShortestOfAll) break;
    }
    return split_into(wished, kShares[0]).value_or(WindowProposal{.n_independent = profile_.n_series});
  }

  std::size_t stride_of(std::size_t length) const {
    return std::max<std::size_t>(
        1, has_fields() ? length : std::clamp(profile_.n_rows / kEnoughWindows, length / 4, length));
  }

  std::optional<WindowProposal> split_into(std::size_t length, const Shares& shares) const {
    WindowProposal one{.length = length, .stride = stride_of(length)};
    one.split = {.train = shares.train,
                 .validation = shares.validation,
                 .test = shares.test,
                 .by = is_cut_in_time() ? SplitBy::time : SplitBy::series,
                 .held_out = {}};
    try {
      std::vector<Window> windows = make_windows(table_, {.length = length, .stride = one.stride});
      std::erase_if(windows, [&](const Window& window) { return starts_in_a_gap(window); });
      drop_straddling(table_, windows, one.split);
      const std::vector<Split> splits = split_windows(table_, windows, one.split);
      const Split judged = shares.validation > 0 ? Split::validation : Split::train;
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < windows.size(); ++i)
        if (splits[i] == judged) chosen.push_back(i);
      one.n_independent = count_independent(windows, chosen);
    } catch (const InputError&) {  // some part would have no window
      return std::nullopt;
    }
    return one;
  }
  bool starts_in_a_gap(const Window& window) const {
    return std::ranges::any_of(gappy_,
                               [&](const Column* column) { return is_missing(*column, window.first_row); });
  }

  const DataTable& table_;
  const TableProfile& profile_;
  std::vector<const Column*> gappy_;
};

}  // namespace

WindowProposal propose_windows(const DataTable& table, const TableProfile& profile) {
  return Proposer(table, profile).propose(true);
}

WindowProposal propose_whole_series(const DataTable& table, const TableProfile& profile) {
  return Proposer(table, profile).propose(false);
}

}  // namespace greybox
