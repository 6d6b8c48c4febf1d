// How every command shows what the library reports: a bar for a training, a count for everything else.
#pragma once

#include <cstdint>
#include <greybox/execution.hpp>
#include <optional>
#include <string>

#include "count_progress.hpp"
#include "progress_bar.hpp"

namespace greybox::apps {

// What a command is for. One that trains always shows the last epoch; to others a training is a means.
enum class Work : std::uint8_t { analysis, training };

// Writes to stderr. One stage at a time: that of the last report.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(Work work = Work::analysis) : work_(work) {}

  void show(const ProgressReport& report);

  // What to give to the library, which then reports here; valid as long as the display.
  Execution execution(std::size_t n_threads);
  // The same, and Ctrl-C and SIGTERM cancel instead of ending the process.
  Execution cancellable(std::size_t n_threads);

 private:
  std::string title_of(const ProgressReport& report) const;

  Work work_;
  std::string stage_, unit_;
  std::optional<ProgressBar> bar_;
  std::optional<CountProgress> count_;
};

}  // namespace greybox::apps
