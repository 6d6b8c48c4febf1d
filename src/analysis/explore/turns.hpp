// One computation at a time, and those that a person waits for first.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace greybox {

enum class Urgency : std::uint8_t {
  // A hand is on the slider.
  at_once,
  // May wait: it gives its turn back after every piece of its work.
  patient,
};

class Turns {
 public:
  // While it lives, no other turn does.
  class Turn {
   public:
    Turn(Turns& turns, Urgency urgency) : turns_(turns) { turns_.take(urgency); }
    ~Turn() { turns_.give_back(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Turns& turns_;
  };

 private:
  void take(Urgency urgency) {
    std::unique_lock lock(mutex_);
    if (urgency == Urgency::at_once) ++n_urgent_;
    changed_.wait(lock, [&] { return !is_taken_ && (urgency == Urgency::at_once || n_urgent_ == 0); });
    if (urgency == Urgency::at_once) --n_urgent_;
    is_taken_ = true;
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    is_taken_ = false;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t n_urgent_ = 0;
  bool is_taken_ = false;
};

}  // namespace greybox
