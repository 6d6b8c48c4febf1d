// How a training shows its progress: a bar on a terminal, now and then a line in a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <greybox/execution.hpp>
#include <string>

namespace greybox::apps {

// The present one counts from 1.
struct TrainingsInRow {
  std::size_t training = 1, n_trainings = 1;
};

// How much of all trainings is done, from 0 to 1, and the time that they need still, each as long as the
// present one.
double fraction_of_all(const EpochReport& report, TrainingsInRow row);
double seconds_left_of_all(const EpochReport& report, TrainingsInRow row);

// Writes to stderr; on a terminal its last line is redrawn, and ended when the bar goes.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Of several trainings in a row, the title says which one it is; bar and time left are those of all.
  void show(const EpochReport& report, const std::string& title = {}, TrainingsInRow row = {});

 private:
  using Clock = std::chrono::steady_clock;

  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point next_;
  std::string title_;
  // The last one known.
  double validation_loss_;
  // At the end of a training its own pace is not known any more.
  double seconds_left_ = 0;
};

}  // namespace greybox::apps
