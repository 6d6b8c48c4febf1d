// Several networks of one model, so that what an analysis says comes with the spread between trainings.
#pragma once

#include "greybox/train.hpp"

namespace greybox {

// Where a row of trainings stands.
struct NetworkProgress {
  std::size_t number = 0, n_all = 0;  // this training, from 1, and how many this call has to do
  EpochReport epoch;
};

struct NetworkOptions {
  std::size_t n_seeds = 1;                  // the run's own network and so many less one of further seeds
  std::vector<std::filesystem::path> with;  // further finished runs of the same model
  std::size_t n_threads = 0;                // 0: one per core; results do not depend on it
  std::function<void(const NetworkProgress&)> progress;
  const std::atomic<bool>* cancel = nullptr;  // once true, the work ends with Interruption
};

}  // namespace greybox
