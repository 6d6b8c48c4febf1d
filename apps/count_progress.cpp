#include "count_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "progress_interval.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {

CountProgress::CountProgress(std::string title, std::string unit)
    : title_(std::move(title)),
      unit_(std::move(unit)),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      interval_(is_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLogInterval)),
      start_(Clock::now()),
      next_(start_ + interval_) {}

CountProgress::~CountProgress() {
  if (is_drawn_) tell("\n");
}

void CountProgress::show(std::size_t n_done, std::size_t n_all) {
  if (n_done == 0) return;
  const Clock::time_point now = Clock::now();
  const bool is_last = n_done == n_all && is_drawn_;
  if (!is_last && now < next_) return;
  next_ = now + interval_;
  const double spent = std::chrono::duration<double>(now - start_).count();
  const double left = spent * static_cast<double>(n_all - n_done) / static_cast<double>(n_done);
  tell(fmt::format("{}{}: {}/{} {}, {:.0f} s left{}", is_terminal_ ? "\r" : "", title_, n_done, n_all, unit_,
                   left, is_terminal_ ? "\x1b[K" : "\n"));
  is_drawn_ = is_terminal_;
}

}  // namespace greybox::apps
