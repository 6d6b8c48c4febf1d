// How every command shows what the library reports: a bar for a training, a count for everything else.
#pragma once

#include <cstdint>
#include <greybox/execution.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "count_progress.hpp"
#include "progress_bar.hpp"

namespace greybox::apps {

// What a command is for. One that trains always shows the last epoch; to others a training is a means.
enum class Work : std::uint8_t { analysis, training };

// Writes to stderr. Stages that are planned share one bar; any other has its own.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(Work work = Work::analysis) : work_(work) {}
  explicit ProgressDisplay(std::vector<PlannedStage> plan) : work_(Work::analysis), plan_(std::move(plan)) {}

  void show(const ProgressReport& report);

  // What to give to the library, which then reports here; valid as long as the display.
  Execution execution(std::size_t n_threads);
  // The same, and Ctrl-C and SIGTERM cancel instead of ending the process.
  Execution cancellable(std::size_t n_threads);

 private:
  std::string title_of(const ProgressReport& report) const;
  static TrainingsInRow row_of(const ProgressReport& report);

  Work work_;
  std::vector<PlannedStage> plan_;
  std::string stage_;
  std::optional<ProgressBar> bar_;
  std::optional<CountProgress> count_;
};

}  // namespace greybox::apps
