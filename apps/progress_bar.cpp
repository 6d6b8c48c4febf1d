#include "progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <limits>
#include <string>

#include "progress_interval.hpp"
#include "standard_streams.hpp"

namespace greybox::apps {
namespace {

constexpr std::size_t kWidth = 24;  // characters of the bar itself

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole % 3600 / 60);
}

std::string numbers(const EpochReport& report, double validation_loss) {
  std::string text = fmt::format("L {:.4g}  R {:.4g}", report.loss, report.regularizer);
  if (!std::isnan(report.multiplier)) text += fmt::format("  λ {:.4g}", report.multiplier);
  if (!std::isnan(validation_loss)) text += fmt::format("  validation L {:.4g}", validation_loss);
  return text +
         fmt::format("  {:.3g} samples/s  {} left", report.samples_per_second, duration(report.seconds_left));
}

std::string bar(const EpochReport& report) {
  std::string text;
  const std::size_t n_full = kWidth * report.epoch / report.epochs;
  for (std::size_t i = 0; i < kWidth; ++i) text += i < n_full ? "█" : "░";
  return text;
}

}  // namespace

ProgressBar::ProgressBar()
    : is_terminal_(::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + (is_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLogInterval))),
      validation_loss_(std::numeric_limits<double>::quiet_NaN()) {}

ProgressBar::~ProgressBar() {
  if (is_drawn_) tell("\n");
}

void ProgressBar::show(const EpochReport& report, const std::string& title) {
  if (title != title_ || !std::isnan(report.validation_loss)) validation_loss_ = report.validation_loss;
  title_ = title;
  const bool is_last = report.epoch == report.epochs && title.empty();
  if (!is_last && Clock::now() < next_) return;
  next_ = Clock::now() + (is_terminal_ ? Clock::duration(kRedraw) : Clock::duration(kLogInterval));
  const std::string text = numbers(report, validation_loss_);
  tell(is_terminal_
           ? fmt::format("\r{}{} {}/{}  {}\x1b[K", title, bar(report), report.epoch, report.epochs, text)
           : fmt::format("{}epoch {}/{}  {}\n", title, report.epoch, report.epochs, text));
  is_drawn_ = is_terminal_;
}

}  // namespace greybox::apps
