// The learning rate of every update of recipe "auto": up, level, and down once it is time.
#pragma once

#include <cstddef>

#include "model/spec.hpp"
#include "train/train_state.hpp"

namespace greybox {

// Of rates whose last is not given.
inline constexpr double kLastOverPeak = 0.01;

class Schedule {
 public:
  // `train` has its epochs, before any are added.
  Schedule(const TrainSpec& train, std::size_t steps_per_epoch);

  // Of the update that the counters stand before.
  double rate(const Counters& counters) const;
  // Epochs at most, as it stands.
  std::size_t most_epochs(const Counters& counters) const;
  // Epochs after which rates fall at the latest, so that they have come down when the epochs end.
  std::size_t latest_fall(const Counters& counters) const;
  // Epochs of a training whose rates fall.
  std::size_t n_epochs(const Counters& counters) const;

 private:
  std::size_t epochs_, steps_per_epoch_;
  // Last over highest.
  double ratio_;
  double warm_up_;
};

}  // namespace greybox
