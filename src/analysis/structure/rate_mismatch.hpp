// Equations that the data contradict by a factor, as where times are in another unit than rates.
#pragma once

#include <string>
#include <vector>

#include "model/loaded_model.hpp"

namespace greybox {

struct RateMismatch {
  std::string state;
  // How fast the state changes in the data, over what its equation says.
  double factor = 1;
};

// Of states that are measured as they are and in whose equation neither θ nor a network has a part: nothing
// that is learned could mend it. Models with states alone.
std::vector<RateMismatch> rate_mismatches(const LoadedModel& loaded);

}  // namespace greybox
