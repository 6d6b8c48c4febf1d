// What the report page needs of a landscape and of its verdicts, kept in the run's folder so that the page
// shows what was computed, and does not compute it again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/run/opened_run.hpp"
#include "analysis/run/window_choice.hpp"
#include "data/json_file.hpp"

namespace greybox {

// What both were computed for; a run with other weights has none.
struct PageKey {
  std::string split;
  std::size_t n_windows = 0;
  std::vector<std::uint64_t> seeds;
  // Further regularizers than the model's.
  std::vector<std::string> regularizers;
  Theta held;

  bool operator==(const PageKey&) const = default;
};

struct KeptPage {
  PageKey key;
  Json content;
};

enum class PagePart : std::uint8_t { landscapes, verdicts };

// Nothing happens for a run in memory, nor where the folder cannot be written.
void keep_page(const OpenedRun& run, PagePart part, const KeptPage& kept);
// None where nothing was kept for these weights, or where the file is something else.
std::optional<KeptPage> kept_page(const OpenedRun& run, PagePart part);

}  // namespace greybox
