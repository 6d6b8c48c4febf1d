#include "progress_display.hpp"

#include <fmt/format.h>

#include <greybox/communicator.hpp>

#include "interruption.hpp"
#include "processes.hpp"

namespace greybox::apps {

// Which training of how many it is.
std::string ProgressDisplay::title_of(const ProgressReport& report) const {
  if (report.n_trainings < 2 && work_ == Work::training) return {};
  return fmt::format("{} {}/{}:", report.stage, report.training, report.n_trainings);
}

TrainingsInRow ProgressDisplay::row_of(const ProgressReport& report) {
  if (report.n_trainings < 2) return {};
  return {report.training, report.n_trainings};
}

void ProgressDisplay::show(const ProgressReport& report) {
  if (report.epoch != nullptr) {
    if (stage_ != report.stage) bar_.reset();
    stage_ = report.stage;
    count_.reset();
    if (!bar_) bar_.emplace();
    bar_->show(*report.epoch, title_of(report), row_of(report));
    return;
  }
  bar_.reset();
  if (!count_ || !count_->knows(report.stage, report.unit)) {
    count_.reset();
    const bool is_planned = StagedProgress(plan_).knows(report.stage, report.unit);
    count_.emplace(is_planned ? plan_ : std::vector<PlannedStage>{{report.stage, report.unit}});
  }
  count_->show(report.stage, report.unit, report.n_done, report.n_total);
}

Execution ProgressDisplay::execution(std::size_t n_threads) {
  return {.n_threads = threads_of_process(n_threads),
          .progress = [this](const ProgressReport& report) { show(report); },
          .communicator = processes()};
}

Execution ProgressDisplay::cancellable(std::size_t n_threads) {
  Execution result = execution(n_threads);
  result.cancel = &listen_to_interruption();
  if (result.communicator != nullptr) result.communicator->give_up_when(result.cancel);
  return result;
}

}  // namespace greybox::apps
