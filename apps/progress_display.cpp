#include "progress_display.hpp"

#include <fmt/format.h>

#include "interruption.hpp"

namespace greybox::apps {

// Which training of how many it is.
std::string ProgressDisplay::title_of(const ProgressReport& report) const {
  if (report.n_trainings < 2 && work_ == Work::training) return {};
  return fmt::format("{} {}/{}: ", report.stage, report.training, report.n_trainings);
}

void ProgressDisplay::show(const ProgressReport& report) {
  if (stage_ != report.stage || unit_ != report.unit) {
    bar_.reset();
    count_.reset();
    stage_ = report.stage;
    unit_ = report.unit;
  }
  if (report.epoch != nullptr) {
    if (!bar_) bar_.emplace();
    bar_->show(*report.epoch, title_of(report));
  } else {
    if (!count_) count_.emplace(stage_, unit_);
    count_->show(report.n_done, report.n_total);
  }
}

Execution ProgressDisplay::execution(std::size_t n_threads) {
  return {.n_threads = n_threads, .progress = [this](const ProgressReport& report) { show(report); }};
}

Execution ProgressDisplay::cancellable(std::size_t n_threads) {
  Execution result = execution(n_threads);
  result.cancel = &listen_to_interruption();
  return result;
}

}  // namespace greybox::apps
