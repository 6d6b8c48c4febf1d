#include "count_progress.hpp"

#include <fmt/format.h>

#include <utility>

#include "progress_interval.hpp"
#include "progress_line.hpp"
#include "standard_streams.hpp"
#include "terminal.hpp"

namespace greybox::apps {

CountProgress::CountProgress(std::vector<PlannedStage> plan)
    : all_(std::move(plan)),
      is_terminal_(is_terminal(Stream::err)),
      interval_(is_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLogInterval)),
      start_(Clock::now()),
      next_(start_ + interval_) {}

CountProgress::~CountProgress() {
  if (is_drawn_) tell("\n");
}

void CountProgress::show(const std::string& stage, const std::string& unit, std::size_t n_done,
                         std::size_t n_all) {
  if (n_done == 0 || n_all == 0) return;
  const Clock::time_point now = Clock::now();
  all_.report(stage, unit, static_cast<double>(n_done) / static_cast<double>(n_all),
              std::chrono::duration<double>(now - start_).count());
  const bool is_last = n_done == n_all && is_drawn_;
  if (!is_last && now < next_) return;
  next_ = now + interval_;
  std::vector<LinePart> parts = {{stage + ":", 1}, {fmt::format("{}/{} {}", n_done, n_all, unit), 0}};
  if (const auto left = all_.seconds_left()) parts.push_back({duration_text(*left) + " left", 2});
  if (is_terminal_)
    tell(fmt::format("\r{}\x1b[K", progress_line(all_.fraction(), parts, width_of(Stream::err) - 1)));
  else
    tell(joined(parts) + "\n");
  is_drawn_ = is_terminal_;
}

}  // namespace greybox::apps
