#include "staged_progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace greybox::apps {
namespace {

// Before that, a guess would be one of chance.
constexpr double kLeastSeconds = 1, kLeastFraction = 0.01;
// In which what is told comes most of the way to a new estimate: good news may come at once, and more time
// may be needed for a moment only.
constexpr double kFalling = 1.5, kRising = 8;

}  // namespace

StagedProgress::StagedProgress(std::vector<PlannedStage> plan) : plan_(std::move(plan)) {}

std::size_t StagedProgress::find(const std::string& stage, const std::string& unit) const {
  const auto with_unit = [&](const std::string& wanted) {
    const auto found = std::find_if(plan_.begin(), plan_.end(), [&](const PlannedStage& planned) {
      return planned.stage == stage && planned.unit == wanted;
    });
    return static_cast<std::size_t>(found - plan_.begin());
  };
  const std::size_t exactly = with_unit(unit);
  return exactly < plan_.size() ? exactly : with_unit("");
}

void StagedProgress::report(const std::string& stage, const std::string& unit, double fraction_of_stage,
                            double seconds) {
  const std::size_t place = find(stage, unit);
  if (place == plan_.size()) return;
  if (place > place_) {
    // What took no time did not take place.
    if (seconds_ > before_) known_weight_ += plan_[place_].weight;
    before_ = seconds_;
    place_ = place;
  }
  if (place < place_) return;
  const double fraction = std::clamp(fraction_of_stage, 0.0, 1.0);
  const double left = seconds_left_at(fraction, seconds);
  if (std::isfinite(left)) follow(left, seconds);
  seconds_ = seconds;
  fraction_ = std::max(fraction_, left_ && seconds > 0 ? seconds / (seconds + *left_) : by_weight(fraction));
}

double StagedProgress::by_weight(double fraction_of_stage) const {
  double done = 0, all = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    all += plan_[i].weight;
    if (i < place_) done += plan_[i].weight;
  }
  return (done + plan_[place_].weight * fraction_of_stage) / all;
}

// The present stage goes on as it has; stages to come take as long for their weight as those so far.
double StagedProgress::seconds_left_at(double fraction_of_stage, double seconds) const {
  double to_come = 0;
  for (std::size_t i = place_ + 1; i < plan_.size(); ++i) to_come += plan_[i].weight;
  const double in_stage = seconds - before_;
  if (fraction_of_stage < kLeastFraction) return std::numeric_limits<double>::infinity();
  const double stage = in_stage / fraction_of_stage;
  const double per_weight = (before_ + stage) / (known_weight_ + plan_[place_].weight);
  return stage - in_stage + to_come * per_weight;
}

void StagedProgress::follow(double left, double seconds) {
  if (seconds < kLeastSeconds) return;
  if (!left_) {
    left_ = left;
    return;
  }
  const double passed = seconds - seconds_, expected = std::max(*left_ - passed, 0.0);
  const double settling = left < expected ? kFalling : kRising;
  left_ = expected + (left - expected) * (1 - std::exp(-passed / settling));
}

}  // namespace greybox::apps
