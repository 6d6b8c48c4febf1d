// The range of the data that predictions are compared with: NRMSE = RMSE / (max − min).
#pragma once

#include <span>

#include "model/loaded_model.hpp"

namespace greybox {

double observed_range(const LoadedModel& loaded, std::span<const std::size_t> windows);

}  // namespace greybox
