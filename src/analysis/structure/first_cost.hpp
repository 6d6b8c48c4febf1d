// What a training costs, measured on one step of it.
#pragma once

#include "model/loaded_model.hpp"

namespace greybox {

struct FirstCost {
  double seconds = 0;
  double megabytes = 0;
  std::size_t n_epochs = 0, n_steps = 0;
};

FirstCost measure_first_cost(const LoadedModel& loaded);

}  // namespace greybox
