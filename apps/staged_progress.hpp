// How far work in several stages has come as a whole, and how long the rest will take.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace greybox::apps {

struct PlannedStage {
  std::string stage;
  // Empty: whatever the stage counts.
  std::string unit{};
  // Of the time that all stages take; only proportions count.
  double weight = 1;
};

class StagedProgress {
 public:
  explicit StagedProgress(std::vector<PlannedStage> plan);

  bool knows(const std::string& stage, const std::string& unit) const {
    return find(stage, unit) < plan_.size();
  }

  // Of a stage of the plan, `seconds` after the first began. Stages before it that were not reported did not
  // take place; a stage that is over is not looked at again.
  void report(const std::string& stage, const std::string& unit, double fraction_of_stage, double seconds);

  // Of the time, from 0 to 1, where the time is known, else of the weights; never falls.
  double fraction() const { return fraction_; }
  // Follows what the fraction says, without its jumps. None before there is something to go by.
  std::optional<double> seconds_left() const { return left_; }

 private:
  std::size_t find(const std::string& stage, const std::string& unit) const;
  double by_weight(double fraction_of_stage) const;
  double seconds_left_at(double fraction_of_stage, double seconds) const;
  void follow(double left, double seconds);

  std::vector<PlannedStage> plan_;
  double fraction_ = 0;
  std::optional<double> left_;
  // The present stage, and the weight of those before it that took place.
  std::size_t place_ = 0;
  double known_weight_ = 0;
  // When the present stage began, and when it was last reported.
  double before_ = 0, seconds_ = 0;
};

}  // namespace greybox::apps
