// Optimal string alignment distance over the candidates.
#include "core/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace greybox {
namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Rows of the usual table, of which swapping neighbours needs the last three.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

// One slip in three letters is likely; among very short names only the case may differ.
bool is_likely_slip(std::size_t distance, std::string_view name, std::string_view candidate) {
  return distance <= std::max(name.size(), candidate.size()) / 3;
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::pair best_distance{none, none};  // without and with regard to case
  std::optional<std::string> best;
  const std::string lower_name = lower_case(name);
  for (const std::string& candidate : candidates) {
    const std::pair distance{edit_distance(lower_name, lower_case(candidate)),
                             edit_distance(name, candidate)};
    if (is_likely_slip(distance.first, name, candidate) && distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace greybox
