#include "progress_display.hpp"

#include <fmt/format.h>

#include "interruption.hpp"

namespace greybox::apps {
namespace {

std::string title_of(const ProgressReport& report) {
  if (report.n_trainings < 2) return {};
  return fmt::format("{} {}/{}: ", report.stage, report.training, report.n_trainings);
}

}  // namespace

void ProgressDisplay::show(const ProgressReport& report) {
  if (stage_ != report.stage || unit_ != report.unit) begin(report);
  if (report.epoch != nullptr && bar_) bar_->show(*report.epoch, title_of(report));
  if (report.epoch == nullptr && count_) count_->show(report.n_done, report.n_total);
}

void ProgressDisplay::begin(const ProgressReport& report) {
  stage_ = report.stage;
  unit_ = report.unit;
  bar_.reset();
  count_.reset();
  if (report.epoch != nullptr)
    bar_.emplace();
  else
    count_.emplace(stage_, unit_);
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
