// How every command shows what the library reports: a bar for a training, a count for everything else.
#pragma once

#include <greybox/execution.hpp>
#include <optional>
#include <string>

#include "count_progress.hpp"
#include "progress_bar.hpp"

namespace greybox::apps {

// Writes to stderr. One stage at a time: that of the last report.
class ProgressDisplay {
 public:
  void show(const ProgressReport& report);

  // What to give to the library, which then reports here; valid as long as the display.
  Execution execution(std::size_t n_threads);
  // The same, and Ctrl-C and SIGTERM cancel instead of ending the process.
  Execution cancellable(std::size_t n_threads);

 private:
  void begin(const ProgressReport& report);

  std::string stage_, unit_;
  std::optional<ProgressBar> bar_;
  std::optional<CountProgress> count_;
};

}  // namespace greybox::apps
