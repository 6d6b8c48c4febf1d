// A network that learns a little longer for one θ alone: tells a θ that it has not adapted to from one that
// the data exclude.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "train/trainer.hpp"

namespace greybox {

struct ShortRefit {
  // Those of the training whose weights are the start.
  TrainerOptions trainer;
  std::span<const double> weights;
  std::vector<double> theta;
  const std::atomic<bool>* cancel = nullptr;
  // From initial weights and at the training's first rates: what it learned may keep it from learning anew.
  bool from_scratch = false;
};

// Weights after a twentieth of the training's epochs on L alone, at rates from the middle of its schedule on,
// of a short training from its beginning on; empty when that diverged or was cancelled.
std::vector<double> short_refit(const LoadedModel& loaded, const ShortRefit& refit, ThreadPool& pool);

}  // namespace greybox
