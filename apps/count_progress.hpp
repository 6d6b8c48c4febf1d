// How counted work shows its progress: a line redrawn on a terminal, now and then a line in a log.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "staged_progress.hpp"

namespace greybox::apps {

// Writes to stderr, e.g. "███░░░ landscape: 120/1000 pairs of θ and window  38 s left"; quick work shows
// nothing in a log. Several stages share one bar.
class CountProgress {
 public:
  explicit CountProgress(std::vector<PlannedStage> plan);
  ~CountProgress();
  CountProgress(const CountProgress&) = delete;
  CountProgress& operator=(const CountProgress&) = delete;

  bool knows(const std::string& stage, const std::string& unit) const { return all_.knows(stage, unit); }
  void show(const std::string& stage, const std::string& unit, std::size_t n_done, std::size_t n_all);

 private:
  using Clock = std::chrono::steady_clock;

  StagedProgress all_;
  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::duration interval_;
  Clock::time_point start_, next_;
};

}  // namespace greybox::apps
