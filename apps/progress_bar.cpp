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
std::vector<LinePart> parts_of(const EpochReport& report, const std::string& title, double validation_loss) {
  std::vector<LinePart> parts;
  if (!title.empty()) parts.push_back({title, 1});
  parts.push_back({fmt::format("{}/{}", report.epoch, report.epochs), 6});
  parts.push_back({fmt::format("L {:.4g}", report.loss), 4});
  parts.push_back({fmt::format("R {:.4g}", report.regularizer), 3});
  if (!std::isnan(report.multiplier)) parts.push_back({fmt::format("λ {:.4g}", report.multiplier), 1});
  if (!std::isnan(validation_loss)) parts.push_back({fmt::format("validation L {:.4g}", validation_loss), 2});
  parts.push_back({fmt::format("{:.3g} samples/s", report.samples_per_second), 0});
  parts.push_back({duration_text(report.seconds_left) + " left", 5});
  return parts;
}

}  // namespace

ProgressBar::ProgressBar()
    : is_terminal_(is_terminal(Stream::err)),
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
  const std::vector<LinePart> parts = parts_of(report, title, validation_loss_);
  const double fraction = static_cast<double>(report.epoch) / static_cast<double>(report.epochs);
  tell(is_terminal_ ? fmt::format("\r{}\x1b[K", progress_line(fraction, parts, width_of(Stream::err) - 1))
                    : fmt::format("{}epoch {}\n", title.empty() ? "" : title + " ",
                                  joined(parts_of(report, "", validation_loss_))));
  is_drawn_ = is_terminal_;
}

}  // namespace greybox::apps
