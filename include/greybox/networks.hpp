// Several networks of one model, so that what an analysis says comes with the spread between trainings.
#pragma once

#include <cstddef>
#include <vector>

#include "greybox/run.hpp"

namespace greybox {

struct NetworkOptions {
  // Total number of networks, including the run's own. The others are trained with the seeds that follow the
  // run's, once: they are kept in the run (of a folder, in RUN/seeds).
  std::size_t seeds = 1;
  // Further finished runs of the same model.
  std::vector<Run> with{};
};

}  // namespace greybox
