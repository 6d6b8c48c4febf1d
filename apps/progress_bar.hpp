// How a training shows its progress: a bar on a terminal, now and then a line in a log.
#pragma once

#include <chrono>
#include <greybox/execution.hpp>
#include <string>

namespace greybox::apps {

// Writes to stderr; on a terminal its last line is redrawn, and ended when the bar goes.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Of several trainings in a row, the title says which one it is.
  void show(const EpochReport& report, const std::string& title = {});

 private:
  using Clock = std::chrono::steady_clock;

  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point next_;
  std::string title_;
  // The last one known.
  double validation_loss_;
};

}  // namespace greybox::apps
