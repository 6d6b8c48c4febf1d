#include "staged_progress.hpp"

#include <algorithm>
#include <cmath>

namespace greybox::apps {
namespace {

// Before that, a guess would be one of chance.
constexpr double kLeastSeconds = 1, kLeastFraction = 0.01;
// In which an estimate comes most of the way to a new one.
constexpr double kSettling = 5;

}  // namespace

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
  double before = 0, all = 0;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    all += plan_[i].weight;
    if (i < place) before += plan_[i].weight;
  }
  const double fraction = (before + plan_[place].weight * std::clamp(fraction_of_stage, 0.0, 1.0)) / all;
  fraction_ = std::max(fraction_, fraction);
  if (seconds < kLeastSeconds || fraction_ < kLeastFraction) return;
  const double told = seconds * (1 - fraction_) / fraction_;
  if (!left_) {
    left_ = told;
  } else {
    const double passed = seconds - seconds_, expected = std::max(*left_ - passed, 0.0);
    left_ = expected + (told - expected) * (1 - std::exp(-passed / kSettling));
  }
  seconds_ = seconds;
}

}  // namespace greybox::apps
