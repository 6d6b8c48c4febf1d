// How counted work shows its progress: a line redrawn on a terminal, now and then a line in a log.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace greybox::apps {

// Writes to stderr, e.g. "reaction–diffusion: 120/1000 sequences, 38 s left"; quick work shows nothing in a
// log.
class CountProgress {
 public:
  CountProgress(std::string title, std::string unit);
  ~CountProgress();
  CountProgress(const CountProgress&) = delete;
  CountProgress& operator=(const CountProgress&) = delete;

  void show(std::size_t n_done, std::size_t n_all);

 private:
  using Clock = std::chrono::steady_clock;

  std::string title_, unit_;
  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::duration interval_;
  Clock::time_point start_, next_;
};

}  // namespace greybox::apps
