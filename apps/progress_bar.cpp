#include "progress_bar.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "progress_interval.hpp"
#include "progress_line.hpp"
#include "standard_streams.hpp"
#include "terminal.hpp"

namespace greybox::apps {
namespace {

// What matters least is the first to go where a line is short.
std::vector<LinePart> parts_of(const EpochReport& report, const std::string& title, double validation_loss,
                               double seconds_left) {
  std::vector<LinePart> parts;
  if (!title.empty()) parts.push_back({title, 1});
  parts.push_back({fmt::format("{}/{}", report.epoch, report.epochs), 6});
  parts.push_back({fmt::format("L {:.4g}", report.loss), 4});
  parts.push_back({fmt::format("R {:.4g}", report.regularizer), 3});
  if (!std::isnan(report.multiplier)) parts.push_back({fmt::format("λ {:.4g}", report.multiplier), 1});
  if (!std::isnan(validation_loss)) parts.push_back({fmt::format("validation L {:.4g}", validation_loss), 2});
  parts.push_back({fmt::format("{:.3g} samples/s", report.samples_per_second), 0});
  parts.push_back({duration_text(seconds_left) + " left", 5});
  return parts;
}

}  // namespace

double fraction_of_all(const EpochReport& report, TrainingsInRow row) {
  const double fraction = static_cast<double>(report.epoch) / static_cast<double>(report.epochs);
  return (static_cast<double>(row.training - 1) + fraction) / static_cast<double>(row.n_trainings);
}

double seconds_left_of_all(const EpochReport& report, TrainingsInRow row) {
  const auto n_left = static_cast<double>(row.n_trainings - row.training);
  if (n_left == 0 || report.epoch >= report.epochs) return report.seconds_left;
  const double share_left =
      static_cast<double>(report.epochs - report.epoch) / static_cast<double>(report.epochs);
  return report.seconds_left * (1 + n_left / share_left);
}

ProgressBar::ProgressBar()
    : is_terminal_(is_terminal(Stream::err)),
      next_(Clock::now() + (is_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLogInterval))),
      validation_loss_(std::numeric_limits<double>::quiet_NaN()) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) tell("\n");
}

void ProgressBar::show(const EpochReport& report, const std::string& title, TrainingsInRow row) {
  if (title != title_ || !std::isnan(report.validation_loss)) validation_loss_ = report.validation_loss;
  title_ = title;
  const bool is_last = report.epoch == report.epochs && title.empty();
  if (!is_last && Clock::now() < next_) return;
  next_ = Clock::now() + (is_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLogInterval));
  if (report.epoch < report.epochs || row.training == row.n_trainings)
    seconds_left_ = seconds_left_of_all(report, row);
  const std::vector<LinePart> parts = parts_of(report, title, validation_loss_, seconds_left_);
  tell(is_terminal_ ? fmt::format("\r{}\x1b[K", progress_line(fraction_of_all(report, row), parts,
                                                              width_of(Stream::err) - 1))
                    : fmt::format("{}epoch {}\n", title.empty() ? "" : title + " ",
                                  joined(parts_of(report, "", validation_loss_, seconds_left_))));
  is_drawn_ = is_terminal_;
}

}  // namespace greybox::apps
