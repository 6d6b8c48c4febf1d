// Losses in the units of the data: RMSE = unit · √L, and NRMSE = RMSE / (max − min).
#pragma once

#include <span>

#include "model/loaded_model.hpp"

namespace greybox {

// Of the data that predictions are compared with: the range of all variables together where they count as
// they are; where L has scales, the root mean square of the variables' own ranges.
double observed_range(const LoadedModel& loaded, std::span<const std::size_t> windows);

// The same where some regularizer of the model needs it; NaN elsewhere.
double range_for(const LoadedModel& loaded, std::span<const std::size_t> windows);

// The root mean square of the scales in L: with one variable, its scale.
double error_unit(const ModelSpec& spec);

}  // namespace greybox
