// What a training costs, measured on one step of it.
#pragma once

#include "core/thread_pool.hpp"
#include "model/loaded_model.hpp"

namespace greybox {

// What to do about a training that takes too much memory.
inline constexpr const char* kLessMemory =
    "make networks or `batch` in [train] smaller, or share the batch among processes";

struct FirstCost {
  double seconds = 0;
  // Of this process at the training's height, beside the data that stay in their file.
  double bytes = 0;
  std::size_t n_epochs = 0, n_steps = 0;
};

// `train` as with_recipe settles it; `n_processes` share each batch. The pool works for this process alone.
FirstCost measure_first_cost(const LoadedModel& loaded, const TrainSpec& train, std::size_t n_processes,
                             ThreadPool& pool);

}  // namespace greybox
