// How a training shows its progress: a bar on a terminal, now and then a line in a log.
#pragma once

#include <chrono>
#include <greybox/train.hpp>

namespace greybox::apps {

// Writes to stderr; on a terminal its last line is redrawn, and ended when the bar goes.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const EpochReport& report);

 private:
  using Clock = std::chrono::steady_clock;

  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point next_;
  double validation_loss_;  // the last one known
};

}  // namespace greybox::apps
