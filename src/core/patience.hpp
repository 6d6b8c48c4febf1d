// How long other processes are waited for once the work was cancelled.
#pragma once

#include <atomic>
#include <chrono>

namespace greybox {

class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  // `cancel` may be null: then it never ends.
  Patience(const std::atomic<bool>* cancel, Clock::duration limit) : cancel_(cancel), limit_(limit) {}

  // To be asked again and again: the time counts from when the cancellation is first seen.
  bool is_over() {
    if (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return false;
    const Clock::time_point now = Clock::now();
    if (!is_counting_) end_ = now + limit_;
    is_counting_ = true;
    return now > end_;
  }

 private:
  const std::atomic<bool>* cancel_;
  Clock::duration limit_;
  Clock::time_point end_{};
  bool is_counting_ = false;
};

}  // namespace greybox
